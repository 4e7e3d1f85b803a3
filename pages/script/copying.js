// A button on every piece of code copies it.

const SHOWN = 1500; // milliseconds that the button says it is done

async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Not allowed here";
  }
  setTimeout(() => {
    button.textContent = "Copy";
  }, SHOWN);
}

export function addCopyButtons() {
  for (const code of document.querySelectorAll("main div.sourceCode")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "site-copy";
    button.textContent = "Copy";
    button.setAttribute("aria-label", "Copy this code");
    const text = code.querySelector("pre").textContent;
    button.addEventListener("click", () => copy(text, button));
    code.append(button);
  }
}
