import { releasedWebVersion } from '@msgctl/network/web-version'
import type { Pool } from 'pg'
import { expect, it } from 'vitest'
import { WebVersions } from './web-versions.ts'

const ignore = () => undefined
const log = { info: ignore, warn: ignore }

it('does not call a version the only one when the database fails', async () => {
  const pool = { query: () => Promise.reject(new Error('timeout')) } as unknown as Pool
  const versions = new WebVersions({ pool, fixed: null, url: null, log })
  expect(await versions.current()).toBe(releasedWebVersion.version)
  await expect(versions.replace(releasedWebVersion.version)).rejects.toThrow('timeout')
})
