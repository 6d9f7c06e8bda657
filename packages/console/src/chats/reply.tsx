import { limits } from '@msgctl/contract/limits'
import { useState } from 'preact/hooks'
import { api } from '../api/client.ts'
import { useAction } from '../api/use-action.ts'
import { Send } from '../ui/marks.ts'
import { t } from '../words/index.ts'

interface ReplyProps {
  readonly phone: string
  readonly containerId: string | undefined
}

/** What was typed for each chat and is not sent yet. */
const drafts = new Map<string, string>()

/** The box for a reply. What could not be sent comes back into it. */
export function Reply({ phone, containerId }: ReplyProps) {
  const [draft, setDraft] = useState(drafts.get(phone) ?? '')
  const write = (text: string) => {
    drafts.set(phone, text)
    setDraft(text)
  }
  const send = useAction(
    async () => {
      const message = draft.trim()
      if (message === '') return
      write('')
      try {
        await api.chats.reply({ phone, message, priority: 'high', ...(containerId ? { containerId } : {}) })
      } catch (error) {
        write(message)
        throw error
      }
    },
    { stale: ['thread', 'chats'] },
  )
  return (
    <form
      class="compose"
      onSubmit={(event) => {
        event.preventDefault()
        void send.run()
      }}
    >
      <textarea
        class="input"
        rows={1}
        maxLength={limits.message}
        aria-label={t.inbox.write}
        placeholder={t.inbox.placeholder}
        dir="auto"
        value={draft}
        onInput={(event) => write(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
          event.preventDefault()
          void send.run()
        }}
      />
      <button type="submit" class="btn primary icon" aria-label={t.inbox.send} disabled={send.busy}>
        <Send size={16} class="flip" aria-hidden />
      </button>
    </form>
  )
}
