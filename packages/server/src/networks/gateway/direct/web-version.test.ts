import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { findJobsWithoutWork } from '#process/job-store.ts'
import { jobs } from '#process/jobs.ts'
import { startTestServer } from '#testing/start-server.ts'
import { findWebVersion, refreshWebVersion } from './web-version.ts'

let text = '{"client_revision":1045649367}'
const http = createServer((_, response) => response.end(text))
await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/sw.js`
const server = await startTestServer({ worker: false, env: { GATEWAY_WEB_VERSION_URL: url } })
const { db, services } = server

async function isDue(): Promise<boolean> {
  return !(await findJobsWithoutWork(db, jobs)).has('gateway-version.refresh')
}

async function useHost(webVersion: string | null): Promise<void> {
  await rows(db, 'delete from gateway_hosts')
  await rows(
    db,
    `insert into gateway_hosts (id, url, version, capacity, started_at, seen_at, web_version)
     values (gen_random_uuid(), 'http://10.0.0.7:7070', '0.1.0', 250, gateway_clock(), gateway_clock(), :webVersion)`,
    { webVersion },
  )
}

it('is refreshed each day while a host uses it, and each hour after a failure', async () => {
  onTestFinished(() => void http.close())
  expect(await isDue()).toBe(false)
  await useHost('2.3000.9')
  expect(await isDue()).toBe(false)
  await useHost(null)
  expect(await isDue()).toBe(true)
  await refreshWebVersion(services)
  expect(await findWebVersion(db)).toMatchObject({ version: '2.3000.1045649367', source: 'fetched', fault: null })
  expect(await isDue()).toBe(false)
  await server.advance(23 * 3600)
  expect(await isDue()).toBe(false)
  await server.advance(2 * 3600)
  expect(await isDue()).toBe(true)

  text = 'moved'
  await refreshWebVersion(services)
  const fault = 'the network named no version'
  expect(await findWebVersion(db)).toMatchObject({ version: '2.3000.1045649367', source: 'fetched', fault })
  expect(await isDue()).toBe(false)
  await server.advance(3700)
  expect(await isDue()).toBe(true)
})

it('is that of the release when the stored one is older, unless an operator set it', async () => {
  await rows(db, `update gateway_web_version set version = '2.3000.5', source = 'fetched'`)
  expect(await findWebVersion(db)).toMatchObject({ source: 'release' })
  await rows(db, `update gateway_web_version set source = 'set'`)
  expect(await findWebVersion(db)).toMatchObject({ version: '2.3000.5', source: 'set' })
})
