// Keys act on the viewer only while the focus is in it.

/** Controls that need the plain keys themselves: text to type into, lists to select from. */
function typesInto(element) {
  return element.matches("select, input:not([type=range])");
}

function pressesButton(key, element) {
  return (key === " " || key === "Enter") && element.matches("button");
}

/** A listener for `keydown`: `handlers()` gives, by key, what is to be done now. */
export function makeKeyListener(handlers) {
  return (event) => {
    const { target, key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (typesInto(target) || pressesButton(key, target)) return;
    const known = handlers();
    if (!Object.hasOwn(known, key)) return;
    event.preventDefault();
    event.stopPropagation();
    known[key]();
  };
}
