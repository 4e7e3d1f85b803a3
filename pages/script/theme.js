// Light or dark: as the system has it, until the reader chooses. The head of the page sets what was
// chosen earlier, before anything is drawn.

const KEY = "theme of the 2048 workbook";
const OTHER = { light: "dark", dark: "light" };

function shownTheme() {
  const chosen = document.documentElement.dataset.theme;
  const isDark = window.matchMedia("(prefers-color-scheme: dark)").matches;
  return chosen ?? (isDark ? "dark" : "light");
}

export function startTheme() {
  const button = document.querySelector(".site-theme");
  function write() {
    const other = OTHER[shownTheme()];
    button.textContent = other === "dark" ? "☾" : "☀";
    button.setAttribute("aria-label", `Make the page ${other}`);
    button.title = button.getAttribute("aria-label");
  }
  button.addEventListener("click", () => {
    const theme = OTHER[shownTheme()];
    document.documentElement.dataset.theme = theme;
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // a browser without memory: it lasts as long as the page
    }
    write();
  });
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", write);
  write();
}
