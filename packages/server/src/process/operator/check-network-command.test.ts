import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { look, sights } from '#process/check/phones/eyes.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'
import { checkCommand } from './check-command.ts'

const server = await startTestServer({ worker: false })
const { db } = server
const organization = await makeOrganization(server)
const simulated = await makeNumber(server, organization)
const unknown = '0195a0c0-0000-7000-8000-000000000000'

/** Adds a number as one of a real network is stored, without a network behind it. */
async function addNumber(change: { status?: string; phone?: string | null } = {}): Promise<string> {
  const containerId = await makeNumber(server, organization)
  const { status = 'WORKING', phone = `1303558${containerId.replaceAll(/\D/g, '').slice(-4)}` } = change
  await rows(
    db,
    `update numbers set gateway = 'direct', status = :status, phone_number = :phone where id = :containerId`,
    { containerId, status, phone },
  )
  return containerId
}

/** Runs `msgctl-server check network`, and returns what the operator would see. */
async function run(...words: string[]) {
  const seen = { out: '', err: '', exitCode: 0 }
  await checkCommand({
    env: { DATABASE_URL: server.databaseUrl, SECRETS_KEYS: server.services.config.secretsKeys },
    write: (text) => {
      seen.out += text
    },
    complain: (text) => {
      seen.err += text
    },
    readInput: async () => '',
    ask: async () => null,
    end: (exitCode) => {
      seen.exitCode = exitCode
    },
    leave: (exitCode) => {
      seen.exitCode = exitCode
      throw new Error('left')
    },
  })
    .parseAsync(['network', ...words], { from: 'user' })
    .catch((error: unknown) => {
      if (!(error instanceof Error && error.message === 'left')) throw error
    })
  return seen
}

describe('check network with two numbers', () => {
  it('refuses numbers that cannot write to each other', async () => {
    const number = await addNumber()
    const refusal = async (peer: string) => (await run('--number', number, '--peer', peer, '--yes')).err
    expect(await refusal(number)).toMatch(/^--number and --peer are the same number/)
    expect(await refusal(unknown)).toMatch(/^There is no number 0195a0c0/)
    expect(await refusal(simulated)).toMatch(/^The number \S+ \(.*\) is simulated: nothing that it sends reaches/)
    expect(await refusal(await addNumber({ status: 'SCAN_QR_CODE', phone: null }))).toMatch(/is not linked to a phone/)
    expect(await refusal(await addNumber({ status: 'FAILED' }))).toMatch(/is not connected \(FAILED/)
    expect((await run('--number', number)).err).toBe('It takes two numbers: give both --number and --peer.\n')
    expect((await run('--only', 'image,smoke')).exitCode).toBe(2)
  })

  it('refuses two numbers of one phone', async () => {
    const [number, peer] = [await addNumber({ phone: '13035580001' }), await addNumber({ phone: '13035580001' })]
    const { err, exitCode } = await run('--number', number, '--peer', peer, '--yes')
    expect(err).toBe('Both numbers are linked to the phone +13035580001. Link one of them to another phone.\n')
    expect(exitCode).toBe(2)
  })

  it('says what it leaves behind, and asks before it sends', async () => {
    const [number, peer] = [await addNumber(), await addNumber()]
    const { err, exitCode } = await run('--number', number, '--peer', peer, '--kill')
    expect(err).toMatch(/About 15 messages go from \+\d+ .* stay in both chats and histories, and the webhooks /)
    expect(err).toMatch(/is ended once, with all of its numbers\. There is no terminal to ask on: add --yes/)
    expect(exitCode).toBe(2)
  })

  it('fails where no host connects the numbers, and tries nothing more than texts', async () => {
    const [number, peer] = [await addNumber(), await addNumber()]
    const { out, exitCode } = await run('--number', number, '--peer', peer, '--yes', '--wait', '0', '--json')
    const found = JSON.parse(out) as { name: string; outcome: string; text: string }[]
    expect(found.map(({ name, outcome }) => `${outcome} ${name.replace(/\d+/, '')}`)).toEqual([
      'failed Gateway hosts',
      'failed Check of +',
      'failed Check of +',
      'failed Cold text',
      'failed Text back',
      'note The rest',
    ])
    expect(found[1]?.text).toMatch(/^GATEWAY_SESSION_ERROR: .* See why the number is not connected/)
    expect(exitCode).toBe(1)
  })
})

describe('check network', () => {
  it.each([
    [1, 'ok', /^2\.3000\.1099999999, known as the present one 1 days ago$/],
    [31, 'note', /present one 31 days ago, .* Run: msgctl-server gateway web-version --fetch$/],
    [51, 'failed', /present one 51 days ago, /],
  ])('judges a version that hosts use and that is %i days old', async (days, outcome, text) => {
    await rows(
      db,
      `with host as (
         insert into gateway_hosts (id, url, version, capacity, started_at, seen_at, web_version)
         values (gen_random_uuid(), 'http://127.0.0.1:9', '0', 1, gateway_clock(), gateway_clock(), null)
       )
       insert into gateway_web_version (version, source, known_at) values ('2.3000.1099999999', 'set',
         service_now() - :days * interval '1 day')
       on conflict (only_row) do update set known_at = excluded.known_at`,
      { days },
    )
    const found = JSON.parse((await run('--json')).out) as { name: string; outcome: string; text: string }[]
    const version = found.find(({ name }) => name === 'Web version')
    expect(version).toEqual({ name: 'Web version', outcome, text: expect.stringMatching(text) })
    await rows(db, 'delete from gateway_hosts')
  })
})

describe('what only eyes see', () => {
  it.each([
    ['y', 'ok'],
    ['No', 'failed'],
    ['?', 'note'],
    [null, 'note'],
  ])('is judged by %s', async (typed, outcome) => {
    expect(await look(async () => typed, sights.ringing)).toMatchObject({ name: 'Ringing', outcome })
  })
})
