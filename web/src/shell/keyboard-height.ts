/**
 * How much of the page the system's on-screen keyboard covers, as `--keyboard`. Only iPhones and iPads draw it over the
 * page; other browsers make the page lower (`interactive-widget` in index.html), and then nothing is covered.
 */
export function watchKeyboard(): void {
  const { visualViewport } = window;
  visualViewport?.addEventListener('resize', () => {
    // Zooming in with two fingers makes the visible part smaller, too.
    const coveredPx = visualViewport.scale === 1 ? Math.max(0, innerHeight - visualViewport.height) : 0;
    document.documentElement.style.setProperty('--keyboard', `${String(coveredPx)}px`);
  });
}
