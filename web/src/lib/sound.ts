/** Paper on wood, and a soft reed for your turn: made here, no files. */
import { settings } from './settings.svelte'

let opening: Promise<AudioContext> | null = null

/**
 * A context keeps the page waiting until the system's sound is awake, a tenth of a second and more;
 * asking which devices there are wakes it while the page goes on.
 */
async function open(): Promise<AudioContext> {
  await navigator.mediaDevices?.enumerateDevices().catch(() => undefined)
  return new AudioContext()
}

async function audio(): Promise<AudioContext | null> {
  if (!settings.sound) return null
  try {
    const context = await (opening ??= open())
    if (context.state === 'suspended') void context.resume()
    return context.state === 'running' ? context : null
  } catch {
    return null
  }
}

/** A card laid on the table: a short breath of filtered noise. */
export async function paper(): Promise<void> {
  const ctx = await audio()
  if (!ctx) return
  const length = Math.floor(ctx.sampleRate * 0.09)
  const buffer = ctx.createBuffer(1, length, ctx.sampleRate)
  const samples = buffer.getChannelData(0)
  for (let i = 0; i < length; i++) samples[i] = (Math.random() * 2 - 1) * (1 - i / length) ** 3
  const source = ctx.createBufferSource()
  source.buffer = buffer
  const filter = ctx.createBiquadFilter()
  filter.type = 'bandpass'
  filter.frequency.value = 1500 + Math.random() * 500
  const gain = ctx.createGain()
  gain.gain.value = 0.16
  source.connect(filter).connect(gain).connect(ctx.destination)
  source.start()
}

async function reed(frequency: number, at: number, length: number): Promise<void> {
  const ctx = await audio()
  if (!ctx) return
  const start = ctx.currentTime + at
  const tone = ctx.createOscillator()
  tone.type = 'triangle'
  tone.frequency.value = frequency
  const gain = ctx.createGain()
  gain.gain.setValueAtTime(0, start)
  gain.gain.linearRampToValueAtTime(0.06, start + 0.05)
  gain.gain.exponentialRampToValueAtTime(0.0001, start + length)
  tone.connect(gain).connect(ctx.destination)
  tone.start(start)
  tone.stop(start + length)
}

export function yourTurn(): void {
  void reed(440, 0, 0.35)
}
export function ending(): void {
  ;[392, 494, 587].forEach((frequency, i) => void reed(frequency, i * 0.14, 0.6))
}
