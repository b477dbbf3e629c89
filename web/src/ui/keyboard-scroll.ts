/** Spread on a scrolling or moving region, so that the keyboard reaches it in every browser (WCAG 2.1.1). */
export const keyboardScroll = { tabIndex: 0 } as const;
