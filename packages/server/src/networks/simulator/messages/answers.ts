import type { InboundMessage } from '@msgctl/network/gateway'
import type { Payload } from '#networks/simulator/events/event.ts'
import { type Answer, addressText, type Person, toPersonAddress } from '#networks/simulator/people/people.ts'
import { networkId } from './network-id.ts'
import { contentText, type StoredContent } from './plan.ts'

/** The file that a simulated person sends. */
export const voiceNote = { mimetype: 'audio/ogg; codecs=opus', filename: 'voice.ogg' } as const
export const photo = { mimetype: 'image/png', filename: 'photo.png' } as const

/** What a person sends back to a message, as it will be reported. `contactsSynced` decides under which address. */
export function answerTo(input: {
  readonly kind: Answer
  readonly person: Person
  readonly to: { readonly networkId: string; readonly content: StoredContent }
  readonly contactsSynced: boolean
}): Payload {
  const from = toPersonAddress(input.person, input.contactsSynced)
  const id = networkId('answer', addressText(from), input.to.networkId)
  if (input.kind === 'vote') {
    const options = input.to.content.kind === 'poll' ? input.to.content.options : []
    const selectedOptions = options.slice(0, 1)
    return { kind: 'poll.vote', pollNetworkId: input.to.networkId, voteNetworkId: id, from, selectedOptions }
  }
  const message = {
    networkId: id,
    from,
    senderName: input.person.name,
    raw: null,
    ...words(input.kind, input.to.content),
  }
  return { kind: 'message.in', message }
}

type Words = Pick<InboundMessage, 'type' | 'text' | 'latitude' | 'longitude' | 'media'>

function words(kind: Exclude<Answer, 'vote'>, content: StoredContent): Words {
  switch (kind) {
    case 'echo':
      return { type: 'chat', text: contentText(content) }
    case 'stop':
      return { type: 'chat', text: 'STOP' }
    case 'one':
      return { type: 'chat', text: '1' }
    case 'location':
      return { type: 'location', text: '', latitude: 38.8895, longitude: -77.0353 }
    case 'voice':
      return { type: 'voice', text: '', media: { ...voiceNote, sizeBytes: voiceBytes.length } }
    case 'photo':
      return { type: 'image', text: '', media: { ...photo, sizeBytes: photoBytes.length } }
  }
}

/** A picture of one pixel. */
export const photoBytes = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** The two header pages of an Ogg Opus stream, without sound. */
export const voiceBytes = Buffer.concat([
  oggPage(2, 0, Buffer.concat([Buffer.from('OpusHead'), Buffer.from([1, 1, 0, 0, 0x80, 0xbb, 0, 0, 0, 0, 0])])),
  oggPage(4, 1, Buffer.concat([Buffer.from('OpusTags'), Buffer.alloc(8)])),
])

function oggPage(flags: number, sequence: number, body: Buffer): Buffer {
  const head = Buffer.alloc(28)
  head.write('OggS', 0, 'latin1')
  head[5] = flags
  head.writeUInt32LE(1, 14)
  head.writeUInt32LE(sequence, 18)
  head[26] = 1
  head[27] = body.length
  const page = Buffer.concat([head, body])
  page.writeUInt32LE(oggChecksum(page), 22)
  return page
}

function oggChecksum(page: Buffer): number {
  let sum = 0
  for (const byte of page) {
    sum = (sum ^ (byte << 24)) >>> 0
    for (let bit = 0; bit < 8; bit++) sum = (sum & 0x80000000 ? (sum << 1) ^ 0x04c11db7 : sum << 1) >>> 0
  }
  return sum
}
