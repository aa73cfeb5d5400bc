/** What is said at one table, as it arrives; who is muted on this device is not heard. */
import { t } from './i18n'
import type { House } from './house'
import { line as wire } from './line.svelte'
import type { Line, RefusedMessage, ServerMessage, TalkMessage } from './protocol'
import { set, settings } from './settings.svelte'

/** How long a line stands beside the name of who said it. */
const FRESH_MS = 8000
/** Tables of which a device remembers what was read there. */
const MOST = 100

export const EMOTES = ['well_played', 'thanks', 'good_luck', 'oops', 'think', 'bye'] as const
export type Emote = (typeof EMOTES)[number]

/** A line in our language. */
export function worded(line: Line): string {
  if (line.kind === 'emote') return t().emotes[line.text as Emote] ?? ''
  return line.kind === 'level' ? (t().talkersSaid[line.text] ?? '') : line.text
}

export const isMuted = (player: string | null): boolean =>
  player !== null && settings.muted.includes(player)

export function mute(player: string, on: boolean): void {
  const others = settings.muted.filter((id) => id !== player)
  set('muted', on ? [...others, player] : others)
}

export class Talk {
  who = $state<TalkMessage['who']>('silent')
  may = $state<TalkMessage['may']>('nothing')
  refusal = $state.raw<RefusedMessage | null>(null)
  /** The newest line of each seat, for a moment. */
  fresh = $state.raw<Record<number, Line>>({})
  /** Whether the talk is being read. */
  open = $state(false)
  private all = $state.raw<Line[]>([])
  lines = $derived(this.all.filter((line) => !isMuted(line.player)))
  /** How many lines of others were said since we last read, here or while we were away. */
  unread = $derived(
    this.lines.filter(
      ({ n, kind, player }) => n > this.known && kind !== 'level' && player !== wire.you?.id,
    ).length,
  )
  /** Those of whom nothing is heard on this device, by the name they had last. */
  mutedHere = $derived(
    Object.entries(
      Object.fromEntries(
        this.all.filter((line) => isMuted(line.player)).map((line) => [line.player!, line.name]),
      ),
    ).map(([id, name]) => ({ id, name })),
  )
  private stop: () => void

  constructor(
    readonly table: string,
    private readonly house: House,
    private readonly tell: (text: string) => void,
  ) {
    this.stop = house.listen((message) => this.hear(message))
  }

  leave(): void {
    this.stop()
  }

  /** All that was said; what is said from now on comes by itself. */
  async fetch(): Promise<void> {
    await this.ask({ type: 'talk' })
  }

  /** Say it; whether it was said. */
  async say(text: string): Promise<boolean> {
    return (await this.ask({ type: 'chat', text }))?.type === 'talk'
  }

  emote(emote: Emote): Promise<ServerMessage | null> {
    return this.ask({ type: 'emote', emote })
  }

  allow(who: string): Promise<ServerMessage | null> {
    return this.ask({ type: 'talkers', who })
  }

  /** The last line that was read on this device. */
  private get known(): number {
    return settings.read[this.table] ?? -1
  }

  read(): void {
    const last = this.all.at(-1)?.n ?? -1
    if (last <= this.known) return
    const others = Object.entries(settings.read).filter(([id]) => id !== this.table)
    set('read', Object.fromEntries([...others.slice(-MOST), [this.table, last]]))
  }

  private async ask(message: { type: string } & Record<string, unknown>) {
    this.refusal = null
    try {
      const answer = await this.house.ask({ ...message, table: this.table })
      if (answer.type === 'refused') this.refusal = answer
      return answer
    } catch {
      return null // the line broke: asked again when it stands
    }
  }

  private hear(message: ServerMessage): void {
    if (message.type !== 'talk' || message.table !== this.table) return
    this.who = message.who
    this.may = message.may
    const more = message.lines.filter((line) => !this.all.some((known) => known.n === line.n))
    if (!more.length) return
    this.all = [...this.all, ...more].sort((one, other) => one.n - other.n)
    if (message.id !== undefined) return // asked for: it may have been said long ago
    for (const line of more) {
      if (isMuted(line.player) || line.kind === 'level') continue
      if (line.player !== wire.you?.id && !this.open) this.tell(t().pair(line.name, worded(line)))
      if (line.seat !== null) this.show(line.seat, line)
    }
  }

  private show(seat: number, line: Line): void {
    this.fresh = { ...this.fresh, [seat]: line }
    setTimeout(() => {
      if (this.fresh[seat] !== line) return
      this.fresh = Object.fromEntries(
        Object.entries(this.fresh).filter(([at]) => Number(at) !== seat),
      )
    }, FRESH_MS)
  }
}
