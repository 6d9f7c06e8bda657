import { finished, Transform } from 'node:stream'
import { type Contract, limits } from '@msgctl/contract'
import { GatewayError } from '@msgctl/network/errors'
import { SemaphoreFull, SemaphoreTimeout, semaphore } from '@msgctl/network/semaphore'
import type { FileToSend } from '#api/http/files/download.ts'
import type { Request } from '#api/http/handler.ts'
import { cleanName } from '#api/media/name.ts'
import { toNetworkAddress } from '#networks/gateway/address.ts'
import { networkFailure } from '#networks/gateway/api-failure.ts'
import { withGatewayTimeout } from '#networks/gateway/timeout.ts'
import { apiError } from '#platform/errors.ts'
import type { Services } from '#services.ts'
import { type Attachment, findAttachment } from './attachment-store.ts'

/** How long the network has to begin with the file. A gateway host begins when it has proven all of it. */
const timeoutMs = 45_000
const retryAfterSeconds = 5
const permits = semaphore({ limit: 24, limitPerKey: () => 6, maxQueuedPerKey: 20, queueTimeoutMs: 20_000 })

/**
 * Responds with the file of a received message, as the network hands it out: the service keeps no files. Throws the
 * ATTACHMENT codes, those of the network, and SERVICE_BUSY when the organization opens too many.
 */
export async function downloadAttachment(
  { caller, params }: Request<Contract['chats']['attachment']>,
  services: Services,
): Promise<FileToSend> {
  const { organizationId, containerId } = caller
  const attachment = await findAttachment(services.db, { organizationId, containerId }, params.id)
  if (!attachment) throw apiError('ATTACHMENT_NOT_FOUND', 'There is no such message, or no file came with it.')
  if (attachment.file.sizeBytes > limits.attachmentBytes) throw tooLarge()
  await acquire(organizationId)
  try {
    const found = await fetchFile(services, organizationId, attachment)
    const bytes = bounded()
    found.bytes.on('error', (error) => bytes.destroy(error)).pipe(bytes)
    finished(bytes, () => {
      found.bytes.destroy()
      permits.release(organizationId)
    })
    return { bytes, mimetype: found.mimetype, filename: nameOf(attachment) }
  } catch (error) {
    permits.release(organizationId)
    throw error
  }
}

async function acquire(organizationId: string): Promise<void> {
  try {
    await permits.acquire(organizationId)
  } catch (error) {
    if (!(error instanceof SemaphoreFull || error instanceof SemaphoreTimeout)) throw error
    const message = `The organization opens too many files at once. Try again in ${retryAfterSeconds} s.`
    throw apiError('SERVICE_BUSY', message, { retryAfterSeconds })
  }
}

async function fetchFile({ gateway }: Services, organizationId: string, attachment: Attachment) {
  const { containerId, networkId, networkRef, address } = attachment
  const session = { organizationId, containerId, gateway: attachment.gateway }
  const message = { networkId, chat: toNetworkAddress(address ?? ''), raw: networkRef }
  const call = gateway.fetchMedia(session, message)
  const found = await withGatewayTimeout(timeoutMs, call).catch((error: unknown) => {
    // A file that comes too late is closed.
    void call.then(
      (late) => late?.bytes.destroy(),
      () => undefined,
    )
    return rethrow(error)
  })
  if (!found) throw apiError('ATTACHMENT_EXPIRED', 'The network no longer keeps this file.')
  return found
}

function rethrow(error: unknown): never {
  if (!(error instanceof GatewayError)) throw error
  if (error.kind !== 'unsupported') throw networkFailure(error)
  throw apiError('ATTACHMENT_UNSUPPORTED', 'The network of this number cannot hand out files.')
}

/** Passes bytes on, and fails beyond the bound: the size that a sender named need not be true. */
function bounded(): Transform {
  let sizeBytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sizeBytes += chunk.length
      done(sizeBytes > limits.attachmentBytes ? tooLarge() : null, chunk)
    },
  })
}

function tooLarge() {
  const mib = limits.attachmentBytes / 1024 ** 2
  return apiError('ATTACHMENT_TOO_LARGE', `The file is larger than the ${mib} MiB that can be opened.`)
}

const endings: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'video/mp4': 'mp4',
  'audio/ogg': 'ogg',
  'application/pdf': 'pdf',
}

function nameOf({ file }: Attachment): string {
  const [type = ''] = file.mimetype.toLowerCase().split(/(?<!\s)\s*;/, 1)
  return cleanName(file.filename ?? '') ?? `attachment.${endings[type] ?? 'bin'}`
}
