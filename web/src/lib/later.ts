/** Do something once the page has been drawn and can be used. */
export function afterFirstView(work: () => void): void {
  requestAnimationFrame(() => setTimeout(work))
}
