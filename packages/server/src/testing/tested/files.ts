import { testsDirect } from '#testing/direct/test-gateway.ts'

/** The name of a photo that a person sent, as a chat shows it. The network itself carries no names of photos. */
export const photoName = testsDirect ? {} : { filename: 'photo.png' }

/** The name under which such a photo is downloaded. */
export const downloadedPhotoName = testsDirect ? 'attachment.png' : 'photo.png'
