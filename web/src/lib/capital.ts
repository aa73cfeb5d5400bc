/** "play Knight 7" → "Play Knight 7" */
export function capital(text: string): string {
  return text.charAt(0).toLocaleUpperCase() + text.slice(1)
}
