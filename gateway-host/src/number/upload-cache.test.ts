import { expect, it } from 'vitest'
import { UploadCache, withCaption } from './upload-cache.ts'

it('keeps an upload for an hour, and a hundred of them', () => {
  let nowMs = 0
  const cache = new UploadCache(() => nowMs)
  const photo = { imageMessage: { url: 'https://example.com/1' } }
  cache.keep('photo', photo)
  nowMs = 3_599_999
  expect(cache.find('photo')).toBe(photo)
  nowMs = 3_600_000
  expect(cache.find('photo')).toBeUndefined()
  for (let n = 0; n <= 100; n++) cache.keep(`file ${n}`, photo)
  expect([cache.find('file 0'), cache.find('file 1'), cache.find('file 100')]).toEqual([undefined, photo, photo])
})

it('gives a file another caption, or none, and leaves the original alone', () => {
  const photo = { imageMessage: { url: 'x', caption: 'first' } }
  expect(withCaption(photo, 'second')).toEqual({ imageMessage: { url: 'x', caption: 'second' } })
  expect(withCaption(photo, undefined)).toEqual({ imageMessage: { url: 'x', caption: null } })
  expect(withCaption({ audioMessage: {} }, 'x')).toEqual({ audioMessage: {} })
  expect(photo.imageMessage.caption).toBe('first')
})
