import { offerToAssistants } from '#conversations/bots/inbox/offer.ts'
import { type ClaimedVoiceNote, claimVoiceNote, deleteVoiceNote } from '#conversations/bots/inbox/voice-note-store.ts'
import { openAssistants } from '#conversations/bots/model/assistants.ts'
import { findPeriod, reserve, settle } from '#conversations/bots/records/allowance-store.ts'
import { inboundEvent } from '#conversations/inbound/inbound-event.ts'
import { findNumbers } from '#conversations/inbound/receive-store.ts'
import { appendEvents } from '#events/append.ts'
import { cleanText } from '#networks/gateway/clean.ts'
import { transaction } from '#platform/db/db.ts'
import { workOn } from '#platform/set-aside/work.ts'
import type { Services } from '#services.ts'
import { openTranscriber, type Transcriber } from './transcriber.ts'

/** Longer than a download and a transcription. After it, another process repeats the attempt. */
const leaseMs = 120_000
const maxAttempts = 3
const maxBytes = 16 * 1024 * 1024
/** A run ends before the next one begins, which continues. */
const runMs = 40_000

/**
 * Transcribes voice notes to assistants. With a transcript, a voice note is reported as message.inbound and answered
 * like a text. Without a transcriber, or when it fails three times, it stays in the chat alone.
 */
export async function transcribeVoiceNotes(services: Services): Promise<void> {
  const { config, db } = services
  const transcriber = config.ai.transcriber && openTranscriber(config.ai.transcriber)
  const untilMs = performance.now() + runMs
  while (performance.now() < untilMs) {
    const note = await claimVoiceNote(db, leaseMs)
    if (!note) return
    const { botId } = note
    if (!transcriber || botId === null) {
      await drop(services, note)
      continue
    }
    await workOn(services, 'voice_notes', [{ ...note, id: String(note.id) }], {
      run: () => handle(services, transcriber, note, botId),
      setAside: () => drop(services, note),
    })
  }
}

async function handle(
  services: Services,
  transcriber: Transcriber,
  note: ClaimedVoiceNote,
  botId: string,
): Promise<void> {
  try {
    const text = await transcribe(services, transcriber, note)
    if (text === null) await drop(services, note)
    else await receiveTranscript(services, note, botId, text)
  } catch (err) {
    const { attempts } = note
    services.log.warn({ event: 'voice_note_failed', err, attempts }, 'failed to transcribe a voice note')
    if (attempts >= maxAttempts) await drop(services, note)
  }
}

async function drop({ db }: Services, { organizationId, id }: ClaimedVoiceNote): Promise<void> {
  await deleteVoiceNote(db, organizationId, id)
}

/** Returns the text of a voice note; null when it is gone, silent, too long, or beyond the allowance. */
async function transcribe(
  services: Services,
  transcriber: Transcriber,
  { organizationId, containerId, arrival, languages, trial }: ClaimedVoiceNote,
): Promise<string | null> {
  const { db, gateway, clock } = services
  const { networkId, address, networkRef } = arrival
  const chat = address.endsWith('@lid')
    ? { kind: 'lid' as const, id: address }
    : { kind: 'phone' as const, digits: address }
  const media = await gateway.fetchMedia({ organizationId, containerId }, { networkId, chat, raw: networkRef })
  if (!media) return null
  const audio = await readAll(media.bytes)
  if (!audio) return null
  const period = await findPeriod(db, clock.now(), { organizationId, trial }, openAssistants(services).allowance)
  const reservedMicroUsd = transcriber.mostMicroUsd(audio.byteLength)
  if (!(await reserve(db, organizationId, period, reservedMicroUsd))) return null
  let usedMicroUsd = reservedMicroUsd
  try {
    const lang = languages?.length === 1 ? (languages[0] ?? null) : null
    const transcript = await transcriber.transcribe(audio, media.mimetype, lang)
    usedMicroUsd = transcript.microUsd
    const text = cleanText(transcript.text).trim()
    return text === '' ? null : text
  } finally {
    await settle(db, organizationId, period, { reservedMicroUsd, usedMicroUsd })
  }
}

/** Returns the bytes of a file, or null when it is too large. */
async function readAll(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer> | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.byteLength
    if (size > maxBytes) return null
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

async function receiveTranscript({ db }: Services, note: ClaimedVoiceNote, botId: string, text: string): Promise<void> {
  const { organizationId, containerId, arrival } = note
  const { id, contactId, networkId, address, senderName, file } = arrival
  const at = new Date(arrival.at)
  await transaction(db, async (trx) => {
    if (!(await deleteVoiceNote(trx, organizationId, note.id))) return
    await offerToAssistants(trx, [{ organizationId, containerId, contactId, botId, text, isPlace: false, at }])
    const [number] = await findNumbers(trx, [{ organizationId, containerId }])
    const spoken = {
      id,
      organizationId,
      containerId,
      direction: 'in',
      networkId,
      at,
      address,
      lid: null,
      file,
    } as const
    const choices = { selectedButtonId: null, selectedRowId: null }
    const nothingElse = { filename: null, groupId: null, place: null, isQuiet: false, ...choices }
    const message = { ...spoken, ...nothingElse, senderName, type: 'voice', text, networkRef: null } as const
    await appendEvents(trx, [inboundEvent(message, address, number?.phone ?? null)])
  })
}
