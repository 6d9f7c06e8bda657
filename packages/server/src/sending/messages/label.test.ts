import { describe, expect, it } from 'vitest'
import { contactsLabel, linkText, locationLabel, mediaLabel, pollLabel } from './label.ts'

const link = 'https://acme.example/a'

describe('what the list of messages shows', () => {
  it.each([
    [mediaLabel('image', link), `[image] ${link}`],
    [mediaLabel('voice', link, undefined), `[voice] ${link}`],
    [mediaLabel('file', link, ''), `[file] ${link}`],
    [mediaLabel('video', link, 'Our shop'), 'Our shop'],
    [contactsLabel([{ fullName: 'Jane Doe', phone: '1' }]), '[contact] Jane Doe'],
    [locationLabel({ latitude: 38.89, longitude: -77.09, name: 'Our office' }), '[location] 38.89,-77.09 Our office'],
    [locationLabel({ latitude: 0, longitude: 0 }), '[location] 0,0'],
    [locationLabel({ latitude: 1, longitude: 2, name: 'Shop', address: 'Main Street' }), '[location] 1,2 Shop'],
    [pollLabel('Tea?'), '[poll] Tea?'],
    [linkText(link), link],
    [linkText(link, `see ${link}`), `see ${link}`],
    [linkText(link, 'see'), `see\n${link}`],
  ])('is %j', (shown, expected) => {
    expect(shown).toBe(expected)
  })
})
