import { describe, expect, it } from 'vitest'
import { arrive, attrs, onlyMessage, peer, person } from '../../test/arrive.ts'

describe('a part of an earlier message', () => {
  const image = { mimetype: 'image/jpeg', directPath: '/v/x', mediaKey: Buffer.alloc(32, 1), fileLength: 900 }

  /** The message that phones send after a photo or a video. */
  function part(
    associationType: number,
    place: 'outside' | 'inside' = 'outside',
    content: object = { imageMessage: image },
  ) {
    const messageContextInfo = { messageAssociation: { associationType, parentMessageKey: { id: 'PARENT' } } }
    const inner = { ...content, ...(place === 'inside' ? { messageContextInfo } : {}) }
    return { associatedChildMessage: { message: inner }, ...(place === 'outside' ? { messageContextInfo } : {}) }
  }

  it.each(['outside', 'inside'] as const)('is a better file, with its association %s', async (place) => {
    expect(await arrive(part(10, place))).toMatchObject([
      {
        kind: 'message.file',
        networkId: 'PARENT',
        from: person.from,
        media: { sizeBytes: 900 },
        raw: { directPath: '/v/x' },
      },
    ])
  })

  it.each([
    ['a video in another format', 19],
    ['the film of a photo', 12],
  ])('shows nothing of its own: %s', async (_, associationType) => {
    expect(
      await arrive(part(associationType, 'outside', { videoMessage: { ...image, mimetype: 'video/mp4' } })),
    ).toEqual([])
  })

  it('replaces nothing in a group, nor of the owner', async () => {
    expect(await arrive(part(10), { ...attrs, from: '1@g.us', participant: '999@lid' })).toEqual([])
    expect(await arrive({ deviceSentMessage: { destinationJid: '999@lid', message: part(10) } }, peer)).toEqual([])
  })

  it('is not a picture of an album, which is a message of its own', async () => {
    const messageContextInfo = { messageAssociation: { associationType: 1, parentMessageKey: { id: 'ALBUM' } } }
    expect(onlyMessage(await arrive({ imageMessage: image, messageContextInfo }))).toMatchObject({ type: 'image' })
  })
})
