-- Markdown of cells -> Typst or HTML, for `pandoc lua`: JSON in, JSON out (pandoc.py says what is
-- in them). One process converts all cells, each by itself, so that what is wrong is told with its
-- cell, and nothing that is wrong in one can spoil another.
--
-- Whatever would be lost is an error. A cell may come from a stranger, so nothing of its text may
-- be read as Typst code or as HTML: what this file writes as such is quoted, or made of letters
-- that it has checked.

local job = pandoc.json.decode(io.read('a'), false)
local stringify = pandoc.utils.stringify
local for_typst = job.to == 'typst'

-- What JupyterLab shows.
local READER = 'commonmark+pipe_tables+strikeout+tex_math_dollars+autolink_bare_uris+smart'

local section_ids = {} -- what a link may call a heading -> its identifier
local notebook_ids = {} -- the file of a notebook -> the identifier of its first heading
local taken_ids = {}
local result -- what the cell at hand comes to: errors, headings, cited, pictures, text

local function fail(reason)
  table.insert(result.errors, reason)
end

-- A string of Typst.
local function quoted(text)
  local escaped = text:gsub('\\', '\\\\'):gsub('"', '\\"'):gsub('%s+', ' ')
  return '"' .. escaped .. '"'
end

local function typst_inline(code)
  return pandoc.RawInline('typst', code)
end

local function write_as(format, blocks)
  local options = pandoc.WriterOptions { wrap_text = 'none', html_math_method = 'mathml' }
  local text = pandoc.write(pandoc.Pandoc(blocks), format, options)
  return (text:gsub('%s+$', ''))
end

-- Quotes are written as they are: Typst would take the one in "lib2048's" for a prime.
local function write(blocks)
  return write_as(for_typst and 'typst-smart' or 'html5', blocks)
end

-- Formulas ---------------------------------------------------------------------------------------

-- Pandoc drops or bends these without a word.
local SPOILED_COMMANDS = {
  'cancel', 'color', 'hphantom', 'href', 'label', 'nonumber', 'notag', 'overset', 'phantom',
  'raisebox', 'rule', 'sideset', 'stackrel', 'substack', 'tag', 'textcolor', 'underset', 'vphantom',
}

-- The names of operators are taken out of a formula while pandoc converts it, and so are commas
-- between the digits of a number, because it would set both with the wrong spaces. Returns the
-- formula with a text in place of each, and the names.
local function take_out_operators(tex)
  local names = {}
  local function stand_in(name)
    table.insert(names, name)
    return '\\text{nbop' .. #names .. 'x}'
  end
  local function operator(braces)
    local name = braces:sub(2, -2):gsub('\\[,;: ]', ' ')
    if not name:match('^[%a][%w %-]*$') then
      fail('an operator that is called ' .. name .. '; a name is of letters, digits and spaces')
      return '\\text{?}'
    end
    return stand_in(name)
  end
  tex = tex:gsub('\\operatorname%*?%s*(%b{})', operator)
  tex = tex:gsub('\\arg%s*\\(m%a%a)%f[%A]', function(name) return stand_in('arg ' .. name) end)
  for _ = 1, 2 do -- twice, since two commas may share the digits between them
    tex = tex:gsub('(%d){,}(%d%d%d)', '%1\\text{nbcomma}%2')
  end
  return tex, names
end

local function put_back_operators(code, names)
  for n, name in ipairs(names) do
    local has_limits = name:match('m[ai][xn]$') ~= nil
    local operator = 'op("' .. name .. '", limits: #' .. tostring(has_limits) .. ')'
    code = code:gsub('upright%("nbop' .. n .. 'x"%)', operator)
    code = code:gsub('"nbop' .. n .. 'x"', operator)
  end
  return (code:gsub('%s*upright%("nbcomma"%)%s*', '","'))
end

-- Pandoc 3.9 rounds spaces to whole ems, and makes large brackets out of boxes.
local function repair_formula(code)
  code = code:gsub('#h%(%-1em%)', '#h(-0.167em)')
  code = code:gsub('#h%(0em%)', '#h(0.278em)')
  code = code:gsub('#scale%(x: (%d+)%%, y: %d+%%%)%[\\?([^%]])%]', function(percent, bracket)
    return 'lr(size: #' .. tonumber(percent) / 100 .. 'em, \\' .. bracket .. ')'
  end)
  return (code:gsub('\\| (.-) \\|', 'lr(|%1|)'))
end

-- What may stand behind a # in a formula: spaces, and the arguments of operators and brackets.
local KNOWN_CODE = { '^#h%(%-?[%d.]+em%)', '^#true%f[%W]', '^#false%f[%W]', '^#[%d.]+em%f[%W]' }

local function is_known_code(code, place)
  for _, pattern in ipairs(KNOWN_CODE) do
    if code:find(pattern, place) then
      return true
    end
  end
  return false
end

-- Where the string of Typst ends that begins at a quote, nil where it does not end.
local function end_of_string(code, start)
  local place = start + 1
  while place <= #code do
    local letter = code:sub(place, place)
    if letter == '"' then
      return place
    end
    place = place + (letter == '\\' and 2 or 1)
  end
  return nil
end

-- Whether a formula that pandoc wrote is a formula and nothing else. Pandoc does not escape quotes
-- in the names of operators, so a text could end its string there and go on as code.
local function is_plain_formula(code)
  local rest = {} -- what stands outside strings and escapes
  local place = 2
  while place < #code do
    local letter = code:sub(place, place)
    if letter == '\\' then
      place = place + 2
    elseif letter == '"' then
      local last = end_of_string(code, place)
      if not last then
        return false
      end
      place = last + 1
    elseif letter == '$' or (letter == '#' and not is_known_code(code, place)) then
      return false
    else
      table.insert(rest, letter)
      place = place + 1
    end
  end
  local is_whole = place == #code and code:sub(-1) == '$'
  local text = table.concat(rest)
  -- `std` is Typst's whole library; // and /* begin comments
  local reaches_out = text:find('%f[%w]std%f[%W]')
    or text:find('//', 1, true)
    or text:find('/*', 1, true)
  return is_whole and not reaches_out
end

-- A formula as Typst code, nil where pandoc does not understand it.
local function formula_in_typst(tex, kind)
  local source, names = take_out_operators(tex)
  local math = pandoc.Math(kind, source)
  local code = write_as('typst', { pandoc.Plain { math } })
  local was_understood = code:sub(1, 1) == '$'
  if not was_understood then
    return nil
  end
  code = repair_formula(put_back_operators(code, names))
  return is_plain_formula(code) and code or nil
end

local function is_known_to_mathml(math)
  local html = write_as('html5', { pandoc.Plain { math } })
  return html:match('^<math') ~= nil
end

local function formula(math)
  local shown = '$' .. math.text .. '$'
  for _, name in ipairs(SPOILED_COMMANDS) do
    if math.text:match('\\' .. name .. '%f[%A]') then
      fail('the formula ' .. shown .. ' uses \\' .. name .. ', which would be lost')
    end
  end
  local code = formula_in_typst(math.text, math.mathtype)
  if not code or not (for_typst or is_known_to_mathml(math)) then
    fail('the formula ' .. shown .. ' cannot be converted')
    return nil
  end
  if not for_typst then
    return nil -- pandoc writes MathML
  end
  local tex = math.text:match('^%s*(.-)%s*$')
  return typst_inline('#formula(' .. quoted(tex) .. ', ' .. code .. ')')
end

-- Text -------------------------------------------------------------------------------------------

-- While cells are read, \$ is this letter, so that any other $ in a text is a formula gone wrong.
local DOLLAR = utf8.char(0xE000)

local function unmask_dollars(element)
  element.text = element.text:gsub(DOLLAR, '\\$')
  return element
end

local function check_text(str)
  if str.text:find('$', 1, true) then
    fail('a $ that neither begins nor ends a formula, in "' .. str.text
      .. '" (a dollar is written \\$)')
  elseif str.text:match('\\%a%a') then
    fail('TeX outside of $...$: "' .. str.text .. '"')
  end
  return pandoc.Str((str.text:gsub(DOLLAR, '$')))
end

-- HTML in a text: a comment goes, anything else is an error. (What `formula` wrote is not HTML.)
local function check_html(raw)
  if raw.format == 'typst' then
    return nil
  end
  local inside = raw.text:match('^%s*<!%-%-(.*)%-%->%s*$')
  local is_one_comment = inside and not inside:find('-->', 1, true)
  if not is_one_comment then
    local one_line = raw.text:gsub('%s+', ' ')
    fail('HTML, which would be lost: ' .. one_line:sub(1, 60))
  end
  return {}
end

-- A code block. The language becomes part of the page, so it must be a plain word. In print, a word
-- that is longer than a line is broken, for want of a better place.
local LONGEST_WORD = 96

local function check_code_block(block)
  local language = block.classes[1]
  if language and not language:match('^%a[%w_-]*$') then
    fail('a code block whose language is ' .. language:sub(1, 60))
  end
  block.attr = pandoc.Attr('', { language })
  if for_typst then
    block.text = block.text:gsub('%S+', function(word)
      local is_ascii = not word:find('[\128-\255]')
      if #word > LONGEST_WORD and is_ascii then
        return (word:gsub(('.'):rep(LONGEST_WORD), '%0\n'))
      end
    end)
  end
  return block
end

-- Links: to figures and tables by number, to references, to sections, to the web ------------------

local function decode_percents(address)
  return (address:gsub('%%(%x%x)', function(hex) return string.char(tonumber(hex, 16)) end))
end

local function link_to(id, words)
  if for_typst then
    return typst_inline('#link(<' .. id .. '>)[' .. write { pandoc.Plain(words) } .. ']')
  end
  return pandoc.Link(words, '#' .. id)
end

-- The words of a link, and behind them what it points at: in brackets, or after a comma where the
-- link stands in brackets itself.
local function with_number(link, point, is_in_brackets)
  local inlines = pandoc.List(link.content)
  if is_in_brackets then
    inlines:extend { pandoc.Str(','), pandoc.Space(), point }
  else
    inlines:extend { pandoc.Space(), pandoc.Str('('), point, pandoc.Str(')') }
  end
  return inlines
end

-- "see the curves (Figure 3)", or inside brackets "(see the curves, Figure 3)". Words that only say
-- "the figure" give way to the number.
local function link_to_figure(link, label, is_in_brackets)
  local number = job.labels[label]
  local point = for_typst and typst_inline('#ref(<' .. label .. '>)')
    or pandoc.Link(number, '#' .. label)
  local words = stringify(link):lower():gsub('^the ', '')
  if words == 'figure' or words == 'table' then
    return { point }
  end
  return with_number(link, point, is_in_brackets)
end

-- "look ahead (Section 12.2)", or inside brackets "(look ahead, Section 12.2)". Words that are a
-- number, or say "the notebook before", give way to the number.
local function link_to_section(link, id, is_in_brackets)
  local point = for_typst and typst_inline('#ref(<' .. id .. '>)')
    or pandoc.Link({}, '#' .. id, '', pandoc.Attr('', { 'section-number' }))
  local words = stringify(link)
  if words:match('^%d*$') or words:lower():match('notebook') then
    return { point }
  end
  return with_number(link, point, is_in_brackets)
end

-- The section that a link to another notebook leads to; nil where this edition has none.
local function section_in(notebook, heading)
  if heading == '' then
    return notebook_ids[notebook]
  end
  return section_ids[heading] or section_ids[heading:lower()]
end

local function convert_link(link, is_in_brackets)
  local target = decode_percents(link.target)
  if target:match('^https?://') or target:match('^mailto:') then
    return { link }
  end
  local label = target:match('^#(.+)$')
  if not label then
    local notebook, heading = target:match('^([%w_./-]+%.ipynb)#?(.*)$')
    if not notebook then
      fail('a link to ' .. target .. ', which readers of the report do not have')
      return link.content
    end
    local section = section_in(notebook, heading)
    return section and link_to_section(link, section, is_in_brackets) or link.content
  end
  if job.labels[label] then
    return link_to_figure(link, label, is_in_brackets)
  end
  if job.references[label] then
    table.insert(result.cited, label)
    return { link_to(label, link.content) }
  end
  local section = section_ids[label] or section_ids[label:lower()]
  if section then
    return link_to_section(link, section, is_in_brackets)
  end
  if not job.elsewhere[label] then
    fail('a link to #' .. label .. ', which is nowhere in the report')
  end
  return link.content
end

local function count_of(text, pattern)
  local _, count = text:gsub(pattern, '')
  return count
end

-- In reading order, to know what stands in brackets.
local function convert_links(inlines)
  local depth = 0
  local converted = pandoc.List {}
  for _, inline in ipairs(inlines) do
    if inline.t == 'Str' then
      depth = depth + count_of(inline.text, '%(') - count_of(inline.text, '%)')
    end
    if inline.t == 'Link' then
      converted:extend(convert_link(inline, depth > 0))
    else
      converted:insert(inline)
    end
  end
  return pandoc.Inlines(converted)
end

-- Pictures: files beside the notebook -------------------------------------------------------------

local picture_count = 0

-- The page gets a placeholder, which no notebook can know beforehand. pandoc.py puts the picture
-- in.
local function convert_picture(image)
  local alt = stringify(image.caption)
  if alt == '' then
    fail('the picture ' .. image.src .. ' has no alternative text: ![text](' .. image.src .. ')')
  end
  if image.src:match('^%a[%w+.-]*:') then
    fail('the picture ' .. image.src .. ' is not a file beside the notebook')
  end
  picture_count = picture_count + 1
  local placeholder = 'picture-' .. job.token .. '-' .. picture_count .. '.'
  table.insert(result.pictures, { placeholder = placeholder, address = image.src })
  if for_typst then
    return typst_inline('#picture(image("' .. placeholder .. '", alt: ' .. quoted(alt) .. '))')
  end
  return pandoc.Image(image.caption, placeholder)
end

-- Tables: columns of numbers to the right ---------------------------------------------------------

local NUMBERS = {
  '^[%d%s.,%%+-]*$',
  '^[%d.,%%+-]+ to [%d.,%%+-]+$',
  '^[%d.,%%+-]+ %([%d.,%%+ to-]+%)$',
}

local function is_number(cell)
  local has_formula = false
  cell.contents:walk { RawInline = function() has_formula = true end }
  if has_formula then
    return false
  end
  local text = stringify(cell.contents):gsub('−', '-'):gsub('–', '-'):gsub('±', '-')
  text = text:gsub('\u{a0}', ' '):gsub('\u{202f}', ' ')
  for _, pattern in ipairs(NUMBERS) do
    if text:match(pattern) then
      return true
    end
  end
  return false
end

-- How a column stands: as its author says, else to the right if all of it is numbers.
local function alignment_of(tab, column)
  local given = tab.colspecs[column][1]
  if given ~= 'AlignDefault' then
    return given
  end
  for _, row in ipairs(tab.bodies[1].body) do
    if not is_number(row.cells[column]) then
      return 'AlignLeft'
    end
  end
  return 'AlignRight'
end

local IN_TYPST = { AlignLeft = 'left', AlignRight = 'right', AlignCenter = 'center' }
local MOST_LETTERS = 40 -- of a word that counts for the width of its column; longer ones are broken

local function longest_word(text)
  local longest = 0
  for word in text:gmatch('%S+') do
    longest = math.max(longest, utf8.len(word) or #word)
  end
  return math.min(MOST_LETTERS, longest)
end

-- A table as a call of grid-of in page.typ.
local function table_in_typst(tab, alignments)
  local widths = {} -- the longest word of each column
  for column = 1, #alignments do
    widths[column] = 0
  end
  local function cells_of(row)
    local cells = {}
    for column, cell in ipairs(row.cells) do
      table.insert(cells, '[' .. write(cell.contents) .. '],')
      widths[column] = math.max(widths[column] or 0, longest_word(stringify(cell.contents)))
    end
    return table.concat(cells, ' ')
  end
  local head = cells_of(tab.head.rows[1])
  local body = {}
  for _, row in ipairs(tab.bodies[1].body) do
    table.insert(body, cells_of(row))
  end
  local letters = 0
  for _, width in ipairs(widths) do
    letters = letters + width
  end
  local sides = {}
  for column, alignment in ipairs(alignments) do
    sides[column] = IN_TYPST[alignment]
  end
  return '#grid-of(' .. letters .. ', (' .. table.concat(sides, ', ') .. ',), (' .. head .. '), ('
    .. table.concat(body, ' ') .. '))'
end

local function convert_table(tab)
  local alignments = {}
  for column = 1, #tab.colspecs do
    alignments[column] = alignment_of(tab, column)
  end
  if for_typst then
    return pandoc.RawBlock('typst', table_in_typst(tab, alignments))
  end
  tab.colspecs = pandoc.List(alignments):map(function(alignment) return { alignment, nil } end)
  return tab
end

-- Headings ----------------------------------------------------------------------------------------

local heading_count = 0

-- An identifier that stays the same as long as the heading does.
local function identifier_of(text)
  local name = text:lower():gsub('[^%w]+', '-'):gsub('^%-', ''):gsub('%-$', '')
  local id = 'sec-' .. (name ~= '' and name or heading_count)
  while taken_ids[id] do
    id = id .. '-' .. heading_count
  end
  taken_ids[id] = true
  return id
end

-- Name a heading, so that links find it. The number of its notebook ("06 Training") goes.
local function name_heading(heading, cell)
  local first = heading.content[1]
  if first and first.t == 'Str' and first.text:match('^%d%d$') then
    heading.content:remove(1)
    heading.content:remove(1)
  end
  heading_count = heading_count + 1
  local text = stringify(heading.content)
  local id = identifier_of(text)
  if cell.notebook and not notebook_ids[cell.notebook] then
    notebook_ids[cell.notebook] = id
  end
  local in_jupyterlab = text:gsub('%s+', '-')
  local on_forges = text:lower():gsub('[^%w%s_-]', ''):gsub('%s', '-')
  for _, name in ipairs { in_jupyterlab, on_forges } do
    section_ids[name] = section_ids[name] or id
  end
  heading.level = math.max(1, heading.level - cell.shift)
  heading.attr = pandoc.Attr(id)
  return heading
end

-- All of it ---------------------------------------------------------------------------------------

-- Chinese and Japanese have no spaces, so where a line ends between two of their letters there is no
-- gap. Korean has spaces, and its letters lie above these.
local FIRST_EAST_ASIAN = 0x2E80
local LAST_EAST_ASIAN = 0x9FFF
local FIRST_WIDE = 0xFF01
local LAST_WIDE = 0xFFEF

local function is_east_asian(code)
  return (code >= FIRST_EAST_ASIAN and code <= LAST_EAST_ASIAN)
    or (code >= FIRST_WIDE and code <= LAST_WIDE)
end

local function ends_east_asian(inline)
  local text = stringify(inline)
  return text ~= '' and is_east_asian(utf8.codepoint(text, utf8.offset(text, -1)))
end

local function begins_east_asian(inline)
  local text = stringify(inline)
  return text ~= '' and is_east_asian(utf8.codepoint(text, 1))
end

local function close_gaps(inlines)
  local kept = pandoc.Inlines {}
  for n, inline in ipairs(inlines) do
    local is_gap = inline.t == 'SoftBreak'
      and n > 1
      and n < #inlines
      and ends_east_asian(inlines[n - 1])
      and begins_east_asian(inlines[n + 1])
    if not is_gap then
      kept:insert(inline)
    end
  end
  return kept
end

-- What stands between signs, as in "2 × 2" and "r + mean", stays on its line.
local BINDING_SIGNS = { ['×'] = true, ['='] = true, ['+'] = true, ['−'] = true, ['·'] = true }
local FIXED_SPACE = utf8.char(0xA0)

local function is_binding_sign(inline)
  return inline ~= nil and inline.t == 'Str' and BINDING_SIGNS[inline.text]
end

local function bind_signs(inlines)
  for n, inline in ipairs(inlines) do
    local is_gap = inline.t == 'Space' or inline.t == 'SoftBreak'
    if is_gap and (is_binding_sign(inlines[n - 1]) or is_binding_sign(inlines[n + 1])) then
      inlines[n] = pandoc.Str(FIXED_SPACE)
    end
  end
  return inlines
end

local function read_cell(cell)
  local doc = pandoc.read(cell.text:gsub('\\%$', DOLLAR) .. '\n', READER)
  doc = doc:walk { Math = unmask_dollars, Code = unmask_dollars, CodeBlock = unmask_dollars }
  doc = doc:walk { Inlines = close_gaps }
  doc = doc:walk { Inlines = bind_signs }
  return doc:walk { Header = function(heading) return name_heading(heading, cell) end }
end

local function headings_of(doc)
  local headings = {}
  doc:walk {
    Header = function(heading)
      local text = stringify(heading.content)
      table.insert(headings, { level = heading.level, text = text, id = heading.identifier })
    end,
  }
  return headings
end

-- What leads to a formula, a list, a table or code stays on its page.
local function is_led_to(block)
  if not block then
    return false
  end
  local is_formula = (block.t == 'Para' or block.t == 'Plain') and #block.content == 1
    and (block.content[1].t == 'Math' and block.content[1].mathtype == 'DisplayMath')
  return is_formula or block.t == 'BulletList' or block.t == 'OrderedList' or block.t == 'Table'
    or block.t == 'CodeBlock'
end

-- For each block of a cell, whether it leads to the next one. The last one may lead to what is not
-- in this cell.
local function leading_blocks(blocks, leads)
  local leading = {}
  for n, block in ipairs(blocks) do
    local is_last = n == #blocks
    leading[n] = block.t == 'Para' and (is_led_to(blocks[n + 1]) or (is_last and leads))
      and not is_led_to(block)
  end
  return leading
end

-- Whether a paragraph begins with bold words and a full stop, as a heading within its first line.
local function begins_with_heading(block)
  local first = block.content[1]
  return first and first.t == 'Strong' and stringify(first):match('%.$') ~= nil
end

-- A paragraph that follows another one is indented, but not what follows a formula: there the
-- sentence goes on. Nor is one that begins with a heading. `are_led_to` says so of each block, as they were before formulas were converted.
local function stick(blocks, leading, are_led_to, follows_text)
  local stuck = pandoc.List {}
  for n, block in ipairs(blocks) do
    if for_typst and leading[n] then
      local before = blocks[n - 1]
      local is_indented = follows_text
      if before then
        is_indented = before.t == 'Para' and not are_led_to[n - 1]
      end
      is_indented = is_indented and not begins_with_heading(block)
      stuck:insert(pandoc.RawBlock('typst', '#lead(' .. tostring(is_indented) .. ')['))
      stuck:insert(block)
      stuck:insert(pandoc.RawBlock('typst', ']'))
    else
      stuck:insert(block)
    end
  end
  return stuck
end

-- A caption stands within a line, so it is one paragraph.
local function as_inlines(blocks)
  local is_paragraph = #blocks == 1 and (blocks[1].t == 'Para' or blocks[1].t == 'Plain')
  if not is_paragraph then
    fail('a caption that is not one paragraph')
    return blocks
  end
  return { pandoc.Plain(blocks[1].content) }
end

local function convert_cell(doc, cell)
  result = { errors = {}, headings = headings_of(doc), cited = {}, pictures = {} }
  local leading = leading_blocks(doc.blocks, cell.leads)
  local are_led_to = doc.blocks:map(is_led_to)
  local blocks = doc.blocks:walk {
    Math = formula,
    Str = check_text,
    RawInline = check_html,
    RawBlock = check_html,
    Image = convert_picture,
    CodeBlock = check_code_block,
  }
  blocks = blocks:walk { Inlines = convert_links }
  blocks = blocks:walk { Table = convert_table }
  if cell.inline then
    blocks = as_inlines(blocks)
  elseif #blocks == #leading then
    blocks = stick(blocks, leading, are_led_to, cell.follows_text)
  end
  result.text = write(blocks)
  return result
end

-- First everything is read and the headings are named, so that a link may point ahead.
local docs = {}
for n, cell in ipairs(job.cells) do
  docs[n] = read_cell(cell)
end
local results = {}
for n, doc in ipairs(docs) do
  results[n] = convert_cell(doc, job.cells[n])
end
io.write(pandoc.json.encode(results))
