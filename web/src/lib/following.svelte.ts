/** A tournament as it goes, for as long as a component looks at it. */
import { Refused } from './api'
import { line, socket } from './line.svelte'
import type { Tournament, TournamentMessage } from './protocol'

/** To be called while a component is made, like `$effect`; `fail` hears why there is none. */
export function following(id: string, fail: (error: unknown) => void) {
  let cup = $state.raw<Tournament | null>(null)
  let now = $state(Date.now())
  /** Server time minus ours. */
  let ahead = 0

  function hear(message: TournamentMessage): void {
    cup = message.tournament
    ahead = message.now - Date.now()
  }
  async function look(): Promise<void> {
    const answer = await socket.ask({ type: 'tournament', tournament: id })
    if (answer.type === 'refused') throw new Refused(answer)
    if (answer.type === 'tournament') hear(answer)
  }
  // A line that broke asks anew.
  $effect(() => {
    if (line.status === 'open') void look().catch(fail)
  })
  $effect(() => {
    const timer = setInterval(() => (now = Date.now()), 1000)
    const stop = socket.listen((message) => {
      if (message.type === 'tournament' && message.tournament.id === id) hear(message)
    })
    return () => {
      clearInterval(timer)
      stop()
      if (socket.status === 'open')
        void socket.ask({ type: 'tournament', tournament: id, on: false }).catch(() => undefined)
    }
  })

  return {
    get cup() {
      return cup
    },
    /** Minutes and seconds until we must have said that we are ready. */
    get left() {
      const seconds = Math.max(0, Math.ceil(((cup?.you?.due ?? now) - now - ahead) / 1000))
      return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
    },
    look,
  }
}
