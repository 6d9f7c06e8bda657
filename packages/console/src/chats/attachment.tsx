import type { ChatMessage, ChatsAttachmentOutput } from '@msgctl/client'
import { Paperclip } from 'lucide-preact'
import { useEffect, useState } from 'preact/hooks'
import { api } from '../api/client.ts'
import { useAction } from '../api/use-action.ts'
import { t } from '../words/index.ts'

interface AttachmentProps {
  /** The message that the file came with. */
  readonly id: string
  readonly file: NonNullable<ChatMessage['attachment']>
}

/** A file that came with a message. It is fetched when it is opened, because files of contacts can be large. */
export function Attachment({ id, file: { mimetype, filename } }: AttachmentProps) {
  const [shown, setShown] = useState<{ readonly url: string; readonly mimetype: string } | null>(null)
  const open = useAction(async () => {
    const got = await api.chats.attachment({ id })
    const url = URL.createObjectURL(toBlob(got))
    if (isShown(got.mimetype)) setShown({ url, mimetype: got.mimetype })
    else saveAs(url, got.filename)
  })
  useEffect(() => () => (shown === null ? undefined : URL.revokeObjectURL(shown.url)), [shown])
  const name = filename ?? t.inbox.kinds(mimetype)
  if (shown?.mimetype.startsWith('image/')) return <img class="attached" src={shown.url} alt={name} />
  // biome-ignore lint/a11y/useMediaCaption: what people send has no captions.
  if (shown?.mimetype.startsWith('audio/')) return <audio class="attached" src={shown.url} controls aria-label={name} />
  // biome-ignore lint/a11y/useMediaCaption: what people send has no captions.
  if (shown) return <video class="attached" src={shown.url} controls aria-label={name} />
  return (
    <button type="button" class="btn attach" disabled={open.busy} onClick={() => open.run()}>
      <Paperclip size={14} aria-hidden />
      <span class="cut" dir="auto">
        {t.inbox.openFile(name)}
      </span>
    </button>
  )
}

/** SVG and HTML are never shown: the file comes from a stranger. */
function isShown(mimetype: string): boolean {
  return /^(?:image\/(?:jpeg|png|webp|gif)|audio\/[\w.+-]+|video\/mp4)/.test(mimetype)
}

function toBlob({ content, mimetype }: ChatsAttachmentOutput): Blob {
  return new Blob([new Uint8Array(content)], { type: mimetype })
}

function saveAs(url: string, filename: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = filename
  link.click()
  URL.revokeObjectURL(url)
}
