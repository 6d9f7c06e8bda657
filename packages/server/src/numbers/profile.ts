import type { Contract } from '@msgctl/contract'
import { GatewayError } from '@msgctl/network/errors'
import type { GatewaySession, Profile, ProfileChange } from '@msgctl/network/gateway'
import { recordActivity, toActor } from '#api/activity/log.ts'
import type { Caller, Request } from '#api/http/handler.ts'
import { requirePublicSource, withMedia } from '#api/media/uploads/open.ts'
import { apiError } from '#platform/errors.ts'
import type { Services } from '#services.ts'
import { gatewayCall } from './gateway-call.ts'
import { toSession } from './records/view.ts'
import { resolveNumber } from './send-group/select-number.ts'

type Numbers = Contract['numbers']

/** Responds with the profile that others see of a number. Throws GATEWAY_SESSION_ERROR while it is not connected. */
export async function getProfile({ caller, query }: Request<Numbers['profile']>, services: Services) {
  const session = await connected(services, caller, query.containerId)
  return profileView(session, await requestedNumber(services.gateway.profile(session)))
}

/**
 * Changes the profile that others see; what is left out stays. The service downloads the picture and gives the driver
 * its bytes, never the link. Throws GATEWAY_SESSION_ERROR while the number is not connected, VALIDATION_ERROR for a
 * private link and the SEND_FILE codes for a picture that cannot be downloaded.
 */
export async function setProfile({ caller, body, signal }: Request<Numbers['setProfile']>, services: Services) {
  const { gateway } = services
  const { name, about, pictureUrl: url, mediaId } = body
  requirePublicSource(services, { field: 'pictureUrl', url })
  const session = await connected(services, caller, body.containerId)
  const { organizationId, containerId } = session
  const words = { ...(name !== undefined && { name }), ...(about !== undefined && { about }) }
  const change = (all: ProfileChange) => requestedNumber(gateway.setProfile(session, all))
  const picture = { organizationId, kind: 'image', field: 'pictureUrl', url, mediaId, signal } as const
  const profile =
    url === undefined && mediaId === undefined
      ? await change(words)
      : await withMedia(services, picture, ({ bytes, sizeBytes, mimetype }) =>
          change({ ...words, picture: { bytes, sizeBytes, mimetype } }),
        )
  await recordActivity(services.db, {
    organizationId,
    actor: toActor(caller),
    action: 'number.profile_changed',
    subject: containerId,
    details: {
      fields: Object.keys({
        ...words,
        ...(url !== undefined && { pictureUrl: url }),
        ...(mediaId !== undefined && { mediaId }),
      }),
    },
  })
  return profileView(session, profile)
}

/**
 * Returns the requested number. Throws GATEWAY_SESSION_ERROR while it is not connected, because the network has its
 * profile.
 */
async function connected(
  { db }: Pick<Services, 'db'>,
  caller: Caller,
  containerId: string | undefined,
): Promise<GatewaySession> {
  const number = await resolveNumber(db, caller, containerId)
  if (number.status !== 'WORKING') throw notConnected(`The number is ${number.status}`)
  return toSession(number)
}

/** Waits for the network. A number that went down since the check gives the same error as one that was down. */
function requestedNumber<T>(call: Promise<T>): Promise<T> {
  return gatewayCall(
    call.catch((error: unknown) => {
      throw error instanceof GatewayError && error.kind === 'session' ? notConnected('The number went down') : error
    }),
  )
}

function notConnected(what: string) {
  return apiError('GATEWAY_SESSION_ERROR', `${what}. Its profile is there while it is connected.`)
}

function profileView({ containerId }: GatewaySession, { id, name, about, pictureUrl }: Profile) {
  return { containerId, id, name, about, pictureUrl }
}
