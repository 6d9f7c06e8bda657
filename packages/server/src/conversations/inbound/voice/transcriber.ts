import { readBody } from '@msgctl/network/body'
import { startTimeLimit } from '@msgctl/network/timeout'
import * as z from 'zod'

/** The settings of a service that turns speech into text. The price is in US dollars for a minute of audio. */
export interface TranscriberSettings {
  readonly url: string
  readonly key: string | null
  readonly model: string
  readonly pricePerMinute: number
}

/** A voice note in words, with what it cost in millionths of a US dollar. */
interface Transcript {
  readonly text: string
  readonly microUsd: number
}

/** Something that turns speech into text. */
export interface Transcriber {
  /** Returns the most that a voice note of this size can cost. */
  mostMicroUsd(bytes: number): number
  /** Throws when the service does not respond as it must. */
  transcribe(audio: Uint8Array<ArrayBuffer>, mimetype: string, lang: string | null): Promise<Transcript>
}

const timeoutMs = 60_000
/** Speech at the lowest rate of the network: a file of this many bytes lasts a minute at most. */
const bytesPerMinute = 45_000
const maxResponseBytes = 256 * 1024
const response = z.object({ text: z.string(), duration: z.coerce.number().min(0).optional() })

function tooLong(): Error {
  return new Error('the response of the transcription service is too long')
}

/** Opens a service that takes audio in the common form of a multipart request. */
export function openTranscriber({ url, key, model, pricePerMinute }: TranscriberSettings): Transcriber {
  const costOf = (minutes: number) => Math.ceil(minutes * pricePerMinute * 1_000_000)
  const mostMicroUsd = (bytes: number) => costOf(Math.max(1, bytes / bytesPerMinute))
  return {
    mostMicroUsd,
    async transcribe(audio, mimetype, lang) {
      const form = new FormData()
      form.set('file', new Blob([audio], { type: mimetype }), 'voice.ogg')
      form.set('model', model)
      form.set('response_format', 'verbose_json')
      if (lang !== null) form.set('language', lang)
      const limit = startTimeLimit(timeoutMs)
      try {
        const headers = key === null ? {} : { authorization: `Bearer ${key}` }
        const responded = await fetch(`${url}/audio/transcriptions`, {
          method: 'POST',
          headers,
          body: form,
          redirect: 'error',
          signal: limit.signal,
        })
        if (!responded.ok) throw new Error(`the transcription service responded with status ${responded.status}`)
        const body = await readBody(responded, { signal: limit.signal, maxBytes: maxResponseBytes, tooLong })
        const { text, duration } = response.parse(JSON.parse(body.toString('utf8')))
        return { text, microUsd: duration === undefined ? mostMicroUsd(audio.byteLength) : costOf(duration / 60) }
      } finally {
        limit.end()
      }
    },
  }
}
