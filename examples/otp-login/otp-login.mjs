// Signs users in with a one-time code. Key and address come from MSG_API_KEY and MSG_BASE_URL.
import { serve } from '@hono/node-server'
import { isMessagingError, MessagingClient } from '@msgctl/client'
import { Hono } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'

const client = new MessagingClient()
// A real application stores both in its database.
const requests = new Map()
const sessions = new Map()
const app = new Hono()

const page = (content) => `<!doctype html><meta charset="utf-8"><title>Sign in</title>${content}`
const form = (path, field, label, note = '') => {
  const input = `<label>${label} <input name="${field}"></label>`
  return page(`<form method="post" action="${path}"><p>${note}<p>${input}<button>Continue</button></form>`)
}
const cookie = { httpOnly: true, sameSite: 'Lax', path: '/', secure: process.env.NODE_ENV === 'production' }

app.get('/', (c) => {
  const phone = sessions.get(getCookie(c, 'session'))
  return c.html(phone ? page(`<p>Signed in as +${phone}`) : form('/code', 'phone', 'Phone number'))
})

app.post('/code', async (c) => {
  const { phone } = await c.req.parseBody()
  try {
    const { requestId } = await client.otp.send({ phone: String(phone) })
    const attempt = crypto.randomUUID()
    requests.set(attempt, requestId)
    setCookie(c, 'attempt', attempt, { ...cookie, maxAge: 300 })
    return c.html(form('/verify', 'code', 'The code we sent'))
  } catch (error) {
    if (isMessagingError(error, 'NUMBER_NOT_ON_NETWORK', 'VALIDATION_ERROR')) {
      return c.html(form('/code', 'phone', 'Phone number', 'This number cannot get messages.'), 422)
    }
    if (!isMessagingError(error, 'OTP_RATE_LIMITED')) throw error
    return c.html(form('/code', 'phone', 'Phone number', 'Too many codes: try again later.'), 429)
  }
})

app.post('/verify', async (c) => {
  const { code } = await c.req.parseBody()
  const requestId = requests.get(getCookie(c, 'attempt'))
  if (!requestId) return c.redirect('/')
  try {
    const { phone } = await client.otp.verify({ requestId, code: String(code) })
    const session = crypto.randomUUID()
    sessions.set(session, phone)
    setCookie(c, 'session', session, cookie)
    return c.redirect('/')
  } catch (error) {
    if (!isMessagingError(error, 'OTP_INVALID_CODE', 'VALIDATION_ERROR')) return c.redirect('/')
    return c.html(form('/verify', 'code', 'The code we sent', 'That was not the code.'), 422)
  }
})

const options = { fetch: app.fetch, hostname: '127.0.0.1', port: Number(process.env.PORT ?? 4000) }
serve(options, ({ port }) => console.log(`listening at http://127.0.0.1:${port}`))
