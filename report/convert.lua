-- Markdown of cells -> Typst or HTML, for `pandoc lua`: JSON in, JSON out (pandoc.py says what is in them).
-- One process converts all cells, each by itself, so that what is wrong is told with its cell, and nothing that is
-- wrong in one can spoil another. Whatever would be lost is an error.
local job = pandoc.json.decode(io.read('a'), false)
local stringify = pandoc.utils.stringify
local READER = 'commonmark+pipe_tables+strikeout+tex_math_dollars+autolink_bare_uris+smart' -- what JupyterLab shows
local typst = job.to == 'typst'
local sections = {} -- what a link may call a heading -> its identifier
local found -- what is found in the cell at hand: errors, headings, cited, images

local function fail(reason) table.insert(found.errors, reason) end
local function quoted(s) return '"' .. s:gsub('\\', '\\\\'):gsub('"', '\\"'):gsub('%s+', ' ') .. '"' end
local function raw(text) return pandoc.RawInline('typst', text) end
local function write(blocks)
  local options = pandoc.WriterOptions { wrap_text = 'none', html_math_method = 'mathml' }
  return (pandoc.write(pandoc.Pandoc(blocks), typst and 'typst' or 'html5', options):gsub('%s+$', ''))
end

-- Formulas. Pandoc drops or bends these without a word:
local SPOILED = { 'color', 'textcolor', 'substack', 'overset', 'underset', 'stackrel', 'sideset', 'tag', 'label',
  'phantom', 'hphantom', 'vphantom', 'raisebox', 'rule', 'href', 'cancel', 'notag', 'nonumber' }

local function in_typst(tex, display)
  local names = {}
  local function operator(name)
    names[#names + 1] = name
    return '\\text{nbop' .. #names .. 'x}'
  end
  local source = tex:gsub('\\operatorname%*?%s*(%b{})', function(name)
    return operator((name:sub(2, -2):gsub('\\[,;: ]', ' ')))
  end):gsub('\\arg%s*\\(m%a%a)%f[%A]', function(name) return operator('arg ' .. name) end)
  for _ = 1, 2 do source = source:gsub('(%d){,}(%d%d%d)', '%1\\text{nbcomma}%2') end
  local math = pandoc.Math(display and 'DisplayMath' or 'InlineMath', source)
  local out = pandoc.write(pandoc.Pandoc { pandoc.Plain { math } }, 'typst'):gsub('%s+$', '')
  if out:sub(1, 1) ~= '$' then return nil end
  for n, name in ipairs(names) do
    local op = 'op("' .. name .. '", limits: #' .. tostring(name:match('m[ai][xn]$') ~= nil) .. ')'
    out = out:gsub('upright%("nbop' .. n .. 'x"%)', op):gsub('"nbop' .. n .. 'x"', op)
  end
  out = out:gsub('%s*upright%("nbcomma"%)%s*', '","')
  -- pandoc 3.9 rounds spaces to whole ems, and makes large brackets out of boxes
  out = out:gsub('#h%(%-1em%)', '#h(-0.167em)'):gsub('#h%(0em%)', '#h(0.278em)')
  out = out:gsub('#scale%(x: (%d+)%%, y: %d+%%%)%[\\?([^%]])%]', function(size, bracket)
    return 'lr(size: #' .. tonumber(size) / 100 .. 'em, \\' .. bracket .. ')'
  end)
  return (out:gsub('\\| (.-) \\|', 'lr(|%1|)'))
end

local function formula(m)
  for _, name in ipairs(SPOILED) do
    if m.text:match('\\' .. name .. '%f[%A]') then fail('the formula $' .. m.text .. '$ uses \\' .. name .. ', which would be lost') end
  end
  local out = in_typst(m.text, m.mathtype == 'DisplayMath')
  if not out then fail('the formula $' .. m.text .. '$ cannot be converted') end
  if not out or not typst then return nil end
  return raw('#formula(' .. quoted(m.text:match('^%s*(.-)%s*$')) .. ', ' .. out .. ')')
end

-- \$ is DOLLAR while cells are read, so that any other $ in a text is a formula gone wrong.
local DOLLAR = utf8.char(0xE000)
local function unmasked(x)
  x.text = x.text:gsub(DOLLAR, '\\$')
  return x
end

local function str(s)
  if s.text:find('$', 1, true) then
    fail('a $ that neither begins nor ends a formula, in "' .. s.text .. '" (a dollar is written \\$)')
  elseif s.text:match('\\%a%a') then
    fail('TeX outside of $...$: "' .. s.text .. '"')
  end
  return pandoc.Str((s.text:gsub(DOLLAR, '$')))
end

local function html(r)
  if r.format == 'typst' then return nil end
  if not r.text:match('^%s*<!%-%-.*%-%->%s*$') then fail('HTML, which would be lost: ' .. r.text:gsub('%s+', ' '):sub(1, 60)) end
  return {}
end

-- Links: to figures and tables by number, to references, to sections, to the web
local function link(l, in_brackets)
  local target = l.target:gsub('%%(%x%x)', function(h) return string.char(tonumber(h, 16)) end)
  if target:match('^https?://') or target:match('^mailto:') then return { l } end
  local label = target:match('^#(.+)$')
  if not label then
    if not target:match('%.ipynb$') and not target:match('%.ipynb#') then
      fail('a link to ' .. target .. ', which readers of the report do not have')
    end
    return l.content
  end
  local number = job.labels[label]
  if number then
    local words = stringify(l):lower():gsub('^the ', '')
    local point = typst and raw('#ref(<' .. label .. '>)') or pandoc.Link(number, '#' .. label)
    if words == 'figure' or words == 'table' then return { point } end
    local parts = pandoc.List(l.content)
    parts:extend(in_brackets and { pandoc.Str(','), pandoc.Space(), point }
      or { pandoc.Space(), pandoc.Str('('), point, pandoc.Str(')') })
    return parts
  elseif job.references[label] then
    table.insert(found.cited, label)
  elseif sections[label] or sections[label:lower()] then
    label = sections[label] or sections[label:lower()]
  else
    if not job.elsewhere[label] then fail('a link to #' .. label .. ', which is nowhere in the report') end
    return l.content
  end
  if not typst then return { pandoc.Link(l.content, '#' .. label) } end
  return { raw('#link(<' .. label .. '>)[' .. write { pandoc.Plain(l.content) } .. ']') }
end

local function links(inlines) -- in reading order, to know what stands in brackets
  local depth, out = 0, pandoc.List {}
  for _, x in ipairs(inlines) do
    if x.t == 'Str' then depth = depth + select(2, x.text:gsub('%(', '')) - select(2, x.text:gsub('%)', '')) end
    out:extend(x.t == 'Link' and link(x, depth > 0) or { x })
  end
  return pandoc.Inlines(out)
end

-- Pictures: files beside the notebook
local function image(i)
  local alt = stringify(i.caption)
  if alt == '' then fail('the picture ' .. i.src .. ' has no alternative text: ![text](' .. i.src .. ')') end
  if i.src:match('^%a[%w+.-]*:') then fail('the picture ' .. i.src .. ' is not a file beside the notebook') end
  table.insert(found.images, i.src)
  if typst then return raw('#picture(image("picture:' .. i.src .. '", alt: ' .. quoted(alt) .. '))') end
  return pandoc.Image(i.caption, 'picture:' .. i.src)
end

-- A word that is longer than a line is broken, for want of a better place
local function code(block)
  if not typst then return nil end
  block.text = block.text:gsub('%S+', function(word)
    if #word > 96 and not word:find('[\128-\255]') then return (word:gsub(('.'):rep(96), '%0\n')) end
  end)
  return block
end

-- Tables: columns of numbers to the right
local function is_number(cell)
  local text, other = stringify(cell.contents), false
  cell.contents:walk { RawInline = function() other = true end }
  text = text:gsub('−', '-'):gsub('–', '-'):gsub('±', '-')
  return not other and (text:match('^[%d%s.,%%+-]*$') or text:match('^[%d.,%%+-]+ to [%d.,%%+-]+$')
    or text:match('^[%d.,%%+-]+ %([%d.,%%+ to-]+%)$'))
end

local function alignment(t, n)
  local given = ({ AlignLeft = 'left', AlignRight = 'right', AlignCenter = 'center' })[t.colspecs[n][1]]
  if given then return given end
  for _, row in ipairs(t.bodies[1].body) do
    if not is_number(row.cells[n]) then return 'left' end
  end
  return 'right'
end

local function table_of(t)
  local align, head, cells = {}, {}, {}
  for n, spec in ipairs(t.colspecs) do align[n] = alignment(t, n) end
  if not typst then
    local names = { left = 'AlignLeft', right = 'AlignRight', center = 'AlignCenter' }
    t.colspecs = pandoc.List(align):map(function(one) return { names[one], nil } end)
    return t
  end
  local longest, letters = {}, 0 -- words, which are not broken
  local function add(list, row)
    for n, cell in ipairs(row.cells) do
      list[#list + 1] = '[' .. write(cell.contents) .. '],'
      for word in stringify(cell.contents):gmatch('%S+') do
        longest[n] = math.max(longest[n] or 0, math.min(40, utf8.len(word) or #word))
      end
    end
  end
  add(head, t.head.rows[1])
  for _, row in ipairs(t.bodies[1].body) do add(cells, row) end
  for n = 1, #align do letters = letters + (longest[n] or 0) end
  return pandoc.RawBlock('typst', '#grid-of(' .. letters .. ', (' .. table.concat(align, ', ') .. ',), (' .. table.concat(head, ' ') ..
    '), (' .. table.concat(cells, ' ') .. '))')
end

-- First pass: read everything and name the headings, so that a link may point ahead
local docs, count = {}, 0
for n, cell in ipairs(job.cells) do
  local doc = pandoc.read(cell.text:gsub('\\%$', DOLLAR) .. '\n', READER)
  docs[n] = doc:walk { Math = unmasked, Code = unmasked, CodeBlock = unmasked }:walk { Header = function(h)
    local first = h.content[1]
    if first and first.t == 'Str' and first.text:match('^%d%d$') then
      h.content:remove(1); h.content:remove(1)
    end
    count = count + 1
    local text, id = stringify(h.content), 'sec-' .. count
    for _, slug in ipairs { text:gsub('%s+', '-'), (text:lower():gsub('[^%w%s_-]', ''):gsub('%s', '-')) } do
      sections[slug] = sections[slug] or id
    end
    h.level, h.attr = math.max(1, h.level - cell.shift), pandoc.Attr(id)
    return h
  end }
end

-- Second pass: convert
local results = {}
for n, doc in ipairs(docs) do
  found = { errors = {}, headings = {}, cited = {}, images = {} }
  doc:walk { Header = function(h)
    table.insert(found.headings, { level = h.level, text = stringify(h.content), id = h.identifier })
  end }
  local blocks = doc.blocks:walk { Math = formula, Str = str, RawInline = html, RawBlock = html, Image = image, CodeBlock = code }
  blocks = blocks:walk { Inlines = links }
  blocks = blocks:walk { Table = table_of }
  if job.cells[n].inline and #blocks == 1 then blocks = { pandoc.Plain(blocks[1].content) } end
  found.text = write(blocks)
  results[n] = found
end
io.write(pandoc.json.encode(results))
