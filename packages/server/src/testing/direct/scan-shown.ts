import { eventually } from '#testing/eventually.ts'

const again = 'scan the QR that is shown next'

/**
 * Links a number as a person does with a phone. The network renews the secret of a QR at its first scan, so the phone
 * scans what is shown then. `scan` throws an Error with the network's message.
 */
export async function scanShown(readQr: () => Promise<string>, scan: (qr: string) => unknown): Promise<void> {
  const first = await readQr()
  try {
    await scan(first)
  } catch (error) {
    if (!(error instanceof Error && error.message.includes(again))) throw error
    await scan(await eventually(readQr, (qr) => qr !== '' && qr !== first))
  }
}
