"""Scripts that look at a page as somebody would for whom it is hard to read."""

# every text that is shown, with its contrast to what is behind it (WCAG 2)
CONTRASTS = """() => {
    const canvas = document.createElement("canvas");
    const brush = canvas.getContext("2d", { willReadFrequently: true });
    const rgba = colour => {
        brush.clearRect(0, 0, 1, 1);
        brush.fillStyle = colour;
        brush.fillRect(0, 0, 1, 1);
        return [...brush.getImageData(0, 0, 1, 1).data];
    };
    const linear = part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    const light = ([r, g, b]) => {
        const [red, green, blue] = [r, g, b].map(part => linear(part / 255));
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const behind = node => {
        const colour = rgba(getComputedStyle(node).backgroundColor);
        return colour[3] === 255 ? colour : behind(node.parentElement);
    };
    const contrast = node => {
        const lights = [light(rgba(getComputedStyle(node).color)), light(behind(node))];
        return (Math.max(...lights) + 0.05) / (Math.min(...lights) + 0.05);
    };
    const hasText = node => [...node.childNodes].some(it => it.nodeType === 3 && it.data.trim());
    const isShown = node => node.checkVisibility() && !node.disabled && !node.closest("svg");
    return [...document.querySelectorAll(".v2048 *")]
        .filter(node => hasText(node) && isShown(node))
        .map(node => [node.textContent, contrast(node)]);
}"""

# how many controls have no name that a screen reader could say
WITHOUT_A_NAME = """() => {
    const controls = [...document.querySelectorAll("button, select, input")];
    const hasName = node =>
        node.textContent.trim() || node.getAttribute("aria-label") || node.labels?.length;
    return controls.filter(node => !hasName(node)).length;
}"""
