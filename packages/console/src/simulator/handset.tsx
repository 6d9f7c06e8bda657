import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { refresh } from '../api/client.ts'
import { useOverview } from '../api/live.ts'
import { callSimulator } from '../api/session-calls.ts'
import { useAction } from '../api/use-action.ts'
import { Face } from '../ui/contact.tsx'
import { Send } from '../ui/marks.ts'
import { Status } from '../ui/status.tsx'
import { When } from '../ui/when.tsx'
import { phoneText } from '../words/format.ts'
import { t } from '../words/index.ts'
import { nameOf } from './people.ts'
import { type PhoneMessage, type SimulatedPhone, usePhone } from './phone-store.ts'
import '../styles/handset.css'

function textOf({ kind, text, deleted }: PhoneMessage): string {
  if (deleted) return t.simulator.deleted
  return text || t.simulator.kinds(kind)
}

/** One phone of the simulated network: what arrived, what its owner writes. */
export function Handset({ phone }: { readonly phone: string }) {
  const overview = useOverview()
  const { data } = usePhone(phone)
  const writer = data?.messages.findLast(({ direction }) => direction === 'out')?.containerId
  const working = overview?.numbers.filter(({ status }) => status === 'WORKING') ?? []
  const number =
    working.find(({ containerId }) => containerId === writer) ??
    working.find(({ isDefault }) => isDefault) ??
    working[0]
  return (
    <section class="handset" aria-label={t.simulator.phoneOf(nameOf(phone))}>
      <div class="screen">
        <header>
          <Face id={number?.label ?? phone} name={number?.label ?? null} />
          <span class="grow">
            <b class="cut block" dir="auto">
              {number?.label ?? t.simulator.noNumber}
            </b>
            <span class="xs num">{phoneText(phone)}</span>
          </span>
          <Power phone={phone} isOnline={data?.online ?? true} />
        </header>
        <Conversation
          phone={phone}
          data={data}
          labels={new Map(overview?.numbers.map(({ containerId, label }) => [containerId, label]))}
        />
        <Compose phone={phone} containerId={number?.containerId} />
      </div>
    </section>
  )
}

function Power({ phone, isOnline }: { readonly phone: string; readonly isOnline: boolean }) {
  const toggle = useAction(() => callSimulator('POST', `people/${phone}/${isOnline ? 'offline' : 'online'}`), {
    stale: ['phone'],
  })
  return (
    <button
      type="button"
      class="power"
      role="switch"
      aria-checked={isOnline}
      aria-label={isOnline ? t.simulator.turnOff : t.simulator.turnOn}
      title={isOnline ? t.simulator.turnOff : t.simulator.turnOn}
      disabled={toggle.busy}
      onClick={() => toggle.run()}
    >
      <i />
    </button>
  )
}

interface ConversationProps {
  readonly phone: string
  readonly data: SimulatedPhone | undefined
  readonly labels: ReadonlyMap<string, string>
}

function Conversation({ phone, data, labels }: ConversationProps) {
  const end = useRef<HTMLDivElement>(null)
  const messages = data?.messages ?? []
  const isTyping = (data?.typing.length ?? 0) > 0
  useLayoutEffect(() => {
    if (end.current) end.current.scrollTop = end.current.scrollHeight
  }, [messages.length, isTyping])
  const hasSeveral = labels.size > 1
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <div class="bubbles" ref={end} role="log" aria-label={`${t.simulator.messages} ${phone}`} tabIndex={0}>
      {messages.length === 0 && !isTyping ? <p class="day">{t.simulator.empty}</p> : null}
      {messages.map((message) => (
        <div key={message.id} class={`bubble${message.direction === 'in' ? ' mine' : ''}`}>
          <span dir="auto">{textOf(message)}</span>
          <footer>
            {hasSeveral && message.direction === 'out' ? <span>{labels.get(message.containerId)}</span> : null}
            <When at={message.at} />
            {message.direction === 'in' ? <Status of={message.status} bare /> : null}
          </footer>
        </div>
      ))}
      {isTyping ? (
        <div class="bubble typing" role="img" aria-label={t.simulator.typing}>
          <i />
          <i />
          <i />
        </div>
      ) : null}
      {data?.online === false ? <p class="day">{t.simulator.off}</p> : null}
    </div>
  )
}

function Compose({ phone, containerId }: { readonly phone: string; readonly containerId: string | undefined }) {
  const [draft, setDraft] = useState('')
  const send = useAction(async () => {
    const text = draft.trim()
    if (!text || containerId === undefined) return
    setDraft('')
    try {
      await callSimulator('POST', 'inbound', { containerId, from: phone, text })
    } catch (error) {
      setDraft(text)
      throw error
    }
    refresh('phone')
  })
  return (
    <form
      class="compose"
      onSubmit={(event) => {
        event.preventDefault()
        void send.run()
      }}
    >
      <input
        class="input"
        aria-label={t.simulator.write}
        placeholder={t.simulator.placeholder}
        dir="auto"
        maxLength={4096}
        value={draft}
        onInput={(event) => setDraft(event.currentTarget.value)}
      />
      <button type="submit" class="btn primary icon" aria-label={t.simulator.send} disabled={containerId === undefined}>
        <Send size={16} class="flip" aria-hidden />
      </button>
    </form>
  )
}
