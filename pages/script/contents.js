// The contents at the side: the section that is being read is marked, and stays in sight.

const TOP = 140; // pixels below the top of the window: where one reads

/** The link to the section that is being read; null above the first. */
function currentLink(links) {
  let current = null;
  for (const link of links) {
    const heading = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    // a heading in something folded has no place
    if (!heading || !heading.getClientRects().length) continue;
    if (heading.getBoundingClientRect().top > TOP) break;
    current = link;
  }
  return current;
}

function keepInSight(link, side) {
  const place = link.getBoundingClientRect();
  const frame = side.getBoundingClientRect();
  if (place.top < frame.top + 60 || place.bottom > frame.bottom - 60) {
    side.scrollTop += place.top - frame.top - frame.height / 3;
  }
}

export function followReader() {
  const side = document.querySelector(".site-side");
  const links = [...side.querySelectorAll(".site-sections a")];
  let marked = null;
  let isWaiting = false;

  function mark() {
    isWaiting = false;
    const current = currentLink(links);
    if (current === marked) return;
    marked?.removeAttribute("aria-current");
    current?.setAttribute("aria-current", "location");
    marked = current;
    if (current) keepInSight(current, side);
  }

  function later() {
    if (!isWaiting) requestAnimationFrame(mark);
    isWaiting = true;
  }

  window.addEventListener("scroll", later, { passive: true });
  mark();
  const page = side.querySelector('[aria-current="page"]');
  if (page && !marked) keepInSight(page, side);
  closeWhenChosen(side);
}

/** In a narrow window the contents are folded; they close when the reader has chosen. */
function closeWhenChosen(side) {
  const button = document.querySelector(".site-menu");
  function show(isOpen) {
    button.setAttribute("aria-expanded", String(isOpen));
    side.classList.toggle("open", isOpen);
  }
  button.addEventListener("click", () => show(!side.classList.contains("open")));
  side.addEventListener("click", (event) => event.target.closest("a") && show(false));
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !side.classList.contains("open")) return;
    show(false);
    button.focus();
  });
}
