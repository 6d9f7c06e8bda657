import { createStore, useStore } from '../api/store.ts'
import { CircleAlert, CircleCheck } from './marks.ts'

interface Notice {
  readonly id: number
  readonly text: string
  readonly kind: 'good' | 'bad'
}

const notices = createStore<readonly Notice[]>([])
const shownMs = 6_000
let lastId = 0

/** Shows a sentence at the edge of the page for some seconds. */
export function toast(text: string, kind: Notice['kind'] = 'good'): void {
  lastId += 1
  const notice = { id: lastId, text, kind }
  notices.set([...notices.get().slice(-2), notice])
  setTimeout(() => notices.set(notices.get().filter(({ id }) => id !== notice.id)), shownMs)
}

/** Where toasts appear. A modal dialog covers the page, so each dialog has its own. */
export function Toasts() {
  const shown = useStore(notices)
  return (
    <div class="toasts" role="status" aria-live="polite">
      {shown.map(({ id, text, kind }) => (
        <p key={id} class={`toast ${kind}`}>
          {kind === 'good' ? <CircleCheck size={16} aria-hidden /> : <CircleAlert size={16} aria-hidden />}
          <span dir="auto">{text}</span>
        </p>
      ))}
    </div>
  )
}
