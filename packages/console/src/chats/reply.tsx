import { limits } from '@msgctl/contract/limits'
import { Paperclip } from 'lucide-preact'
import { useRef, useState } from 'preact/hooks'
import { api } from '../api/client.ts'
import { useAction } from '../api/use-action.ts'
import { useFeature } from '../session/session.ts'
import { Send, X } from '../ui/marks.ts'
import { t } from '../words/index.ts'

interface FileToSend {
  readonly phone: string
  readonly containerId: string | undefined
  readonly file: File
  readonly caption: string
}

/** Uploads a file and sends it at once, as what it is: a photo, a video, or a file. */
async function sendFile({ phone, containerId, file, caption }: FileToSend): Promise<void> {
  const { mediaId, mimetype } = await api.media.upload({ content: file, filename: file.name || 'file' })
  const input = { phone, mediaId, ...(caption ? { caption } : {}), ...(containerId ? { containerId } : {}) }
  if (/^image\/(?:jpeg|png|webp)$/.test(mimetype)) await api.alert.sendImage(input)
  else if (mimetype === 'video/mp4') await api.alert.sendVideo(input)
  else await api.alert.sendFile(input)
}

interface ReplyProps {
  readonly phone: string
  readonly containerId: string | undefined
}

/** What was typed for each chat and is not sent yet. */
const drafts = new Map<string, string>()

/** The box for a reply, with a file where the products include it. What could not be sent comes back into it. */
export function Reply({ phone, containerId }: ReplyProps) {
  const [draft, setDraft] = useState(drafts.get(phone) ?? '')
  const [file, setFile] = useState<File | null>(null)
  const hasMedia = useFeature('media')
  const write = (text: string) => {
    drafts.set(phone, text)
    setDraft(text)
  }
  const send = useAction(
    async () => {
      const message = draft.trim()
      if (message === '' && file === null) return
      write('')
      setFile(null)
      try {
        if (file) await sendFile({ phone, containerId, file, caption: message })
        else await api.chats.reply({ phone, message, priority: 'high', ...(containerId ? { containerId } : {}) })
      } catch (error) {
        write(message)
        setFile(file)
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
      {file ? <ChosenFile file={file} onRemove={() => setFile(null)} /> : null}
      {hasMedia ? <FileButton onFile={setFile} /> : null}
      <textarea
        class="input"
        rows={1}
        maxLength={file ? limits.caption : limits.message}
        aria-label={t.inbox.write}
        placeholder={t.inbox.placeholder}
        dir="auto"
        value={draft}
        onInput={(event) => write(event.currentTarget.value)}
        onPaste={(event) => {
          const pasted = event.clipboardData?.files[0]
          if (!hasMedia || !pasted) return
          event.preventDefault()
          setFile(pasted)
        }}
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

function FileButton({ onFile }: { readonly onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t.inbox.file}
        onChange={(event) => {
          const chosen = event.currentTarget.files?.[0]
          if (chosen) onFile(chosen)
          event.currentTarget.value = ''
        }}
      />
      <button type="button" class="btn icon" aria-label={t.inbox.file} onClick={() => input.current?.click()}>
        <Paperclip size={16} aria-hidden />
      </button>
    </>
  )
}

function ChosenFile({ file, onRemove }: { readonly file: File; readonly onRemove: () => void }) {
  return (
    <p class="chosen-file small">
      <span class="cut" dir="auto">
        {file.name}
      </span>
      <button type="button" class="btn quiet mini" aria-label={t.inbox.removeFile} onClick={onRemove}>
        <X size={14} aria-hidden />
      </button>
    </p>
  )
}
