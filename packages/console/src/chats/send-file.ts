import { api } from '../api/client.ts'

interface FileToSend {
  readonly phone: string
  readonly containerId: string | undefined
  readonly file: File
  readonly caption: string
}

/** Uploads a file and sends it at once, as what it is: a photo, a video, or a file. */
export async function sendFile({ phone, containerId, file, caption }: FileToSend): Promise<void> {
  const { mediaId, mimetype } = await api.media.upload({ content: file, filename: file.name || 'file' })
  const input = { phone, mediaId, ...(caption ? { caption } : {}), ...(containerId ? { containerId } : {}) }
  if (/^image\/(?:jpeg|png|webp)$/.test(mimetype)) await api.alert.sendImage(input)
  else if (mimetype === 'video/mp4') await api.alert.sendVideo(input)
  else await api.alert.sendFile(input)
}
