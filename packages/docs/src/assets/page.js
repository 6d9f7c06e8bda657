const root = document.documentElement
const siteRoot = new URL(document.body.dataset.root || './', location.href)
const find = (selector, within = document) => within.querySelector(selector)
const findAll = (selector, within = document) => [...within.querySelectorAll(selector)]

function store(storage, name, value) {
  try {
    if (value) storage.setItem(name, value)
    else storage.removeItem(name)
  } catch {
    // Without storage the choice lasts for this page.
  }
}

function element(tag, className, text) {
  const made = document.createElement(tag)
  if (className) made.className = className
  if (text !== undefined) made.textContent = text
  return made
}

// Theme and language of the samples

find('[data-theme-button]').addEventListener('click', () => {
  const isDark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  root.dataset.theme = isDark ? 'light' : 'dark'
  store(localStorage, 'docs-theme', root.dataset.theme)
})

function showLanguage(language) {
  root.dataset.language = language
  for (const button of findAll('.tabs button')) {
    button.setAttribute('aria-pressed', String(button.dataset.language === language))
  }
}

showLanguage(root.dataset.language)
for (const button of findAll('.tabs button')) {
  button.addEventListener('click', () => {
    const before = button.getBoundingClientRect().top
    showLanguage(button.dataset.language)
    // Samples above may have changed their height.
    scrollBy(0, button.getBoundingClientRect().top - before)
    store(localStorage, 'docs-language', button.dataset.language)
  })
}

// Copying

for (const box of findAll('.code')) {
  const button = element('button', 'copy', 'Copy')
  button.type = 'button'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(find('code', box).textContent)
    button.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 1500)
  })
  box.append(button)
}

// The menu: the current section, and closing it on a phone

const menu = find('#site-menu')
menu.addEventListener('click', (event) => {
  if (event.target.closest('a') && menu.matches(':popover-open')) menu.hidePopover()
})
const here = find('[aria-current]', menu)
if (here) menu.scrollTop = here.offsetTop - menu.clientHeight / 3

const entries = new Map(findAll('a[href^="#"]', menu).map((link) => [link.getAttribute('href').slice(1), link]))
if (entries.size > 0) {
  const visible = new Set()
  const observer = new IntersectionObserver(
    (changes) => {
      for (const { target, isIntersecting } of changes) {
        if (isIntersecting) visible.add(target.id)
        else visible.delete(target.id)
      }
      const current = [...entries.keys()].find((id) => visible.has(id))
      if (!current) return
      for (const [id, link] of entries) link.classList.toggle('current', id === current)
    },
    { rootMargin: '-70px 0px -60% 0px' },
  )
  for (const id of entries.keys()) {
    const target = document.getElementById(id)
    if (target) observer.observe(target)
  }
}

// Search

const searchDialog = find('#site-search')
const searchText = find('#search-text')
const results = find('#search-results')
const none = find('#search-none')
let index
let chosen = -1

async function openSearch() {
  searchDialog.showModal()
  searchText.select()
  index ??= await (await fetch(new URL('docs/search.json', siteRoot))).json()
  showResults()
}

/** A higher score is a better match; 0 is none. Every word has to be found. */
function scoreOf([title, kind, , words], terms) {
  let score = 0
  for (const term of terms) {
    const name = title.toLowerCase()
    if (name === term) score += 20
    else if (name.startsWith(term)) score += 10
    else if (name.includes(term)) score += 6
    else if (kind.toLowerCase().includes(term)) score += 4
    else if (words.toLowerCase().includes(term)) score += 2
    else return 0
  }
  return score
}

function choose(position) {
  const options = [...results.children]
  chosen = options.length === 0 ? -1 : (position + options.length) % options.length
  for (const [at, option] of options.entries()) option.setAttribute('aria-selected', String(at === chosen))
  options[chosen]?.scrollIntoView({ block: 'nearest' })
  if (chosen >= 0) searchText.setAttribute('aria-activedescendant', options[chosen].id)
  else searchText.removeAttribute('aria-activedescendant')
}

function resultOf([title, kind, path], at) {
  const option = element('li')
  option.id = `result-${at}`
  option.setAttribute('role', 'option')
  option.dataset.href = new URL(path, siteRoot).href
  option.append(element('span', 'result-title', title), element('span', 'result-kind', kind))
  option.addEventListener('click', () => follow(option))
  return option
}

function follow(option) {
  searchDialog.close()
  location.href = option.dataset.href
}

function showResults() {
  const terms = searchText.value.toLowerCase().split(/\s+/).filter(Boolean)
  const found = (index ?? [])
    .map((entry) => [terms.length === 0 ? 0 : scoreOf(entry, terms), entry])
    .filter(([score]) => score > 0)
    .sort(([a], [b]) => b - a)
    .slice(0, 12)
  results.replaceChildren(...found.map(([, entry], at) => resultOf(entry, at)))
  results.hidden = found.length === 0
  searchText.setAttribute('aria-expanded', String(found.length > 0))
  none.textContent = terms.length > 0 && index && found.length === 0 ? 'Nothing found.' : ''
  choose(0)
}

for (const button of findAll('[data-open-search]')) button.addEventListener('click', openSearch)
searchText.addEventListener('input', showResults)
searchText.addEventListener('keydown', (event) => {
  if (event.key === 'ArrowDown') choose(chosen + 1)
  else if (event.key === 'ArrowUp') choose(chosen - 1)
  else if (event.key === 'Enter' && chosen >= 0) follow(results.children[chosen])
  else return
  event.preventDefault()
})
searchDialog.addEventListener('click', (event) => {
  if (event.target === searchDialog) searchDialog.close()
})
document.addEventListener('keydown', (event) => {
  const isTyping = event.target.closest?.('input, textarea, select, dialog')
  const isShortcut = (event.key === '/' && !isTyping) || (event.key === 'k' && (event.ctrlKey || event.metaKey))
  if (!isShortcut) return
  event.preventDefault()
  void openSearch()
})

// Credentials

const keyDialog = find('#site-key')
const keyValue = find('#key-value')
let credential = ''
try {
  credential = sessionStorage.getItem('docs-key') ?? ''
} catch {
  // The key lasts for this page.
}

/** Keys of the service have a prefix; every other credential is the token of a user. */
const isKey = (value) => /^ms[kn]_/.test(value)

function showCredential() {
  const kind = credential.startsWith('msk_')
    ? 'account key'
    : credential.startsWith('msn_')
      ? 'key of a number'
      : 'token'
  for (const state of findAll('[data-key-state]')) state.textContent = credential ? `with your ${kind}` : 'no key set'
}

showCredential()
for (const button of findAll('[data-open-key]')) button.addEventListener('click', () => keyDialog.showModal())
keyDialog.addEventListener('close', () => {
  if (keyDialog.returnValue === 'save') credential = keyValue.value.trim()
  if (keyDialog.returnValue === 'forget') credential = ''
  keyValue.value = ''
  store(sessionStorage, 'docs-key', credential)
  showCredential()
})

// Try it

const baseUrl = new URL('api/v1', siteRoot)
for (const place of findAll('[data-base-url]')) place.textContent = baseUrl.href

function requestOf(form) {
  const { method, path, credentials } = form.dataset
  let address = path
  const query = new URLSearchParams()
  for (const input of findAll('[data-in]', form)) {
    const value = input.value.trim()
    if (input.dataset.in === 'path') address = address.replace(`{${input.name}}`, encodeURIComponent(value))
    else if (value !== '') query.set(input.name, value)
  }
  const headers = {}
  if (credentials !== '' && credential !== '') {
    if (isKey(credential)) headers['X-API-Key'] = credential
    else headers.Authorization = `Bearer ${credential}`
  }
  const body = find('textarea', form)?.value
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  const search = query.size > 0 ? `?${query}` : ''
  return [`${baseUrl.href}${address}${search}`, { method, headers, ...(body !== undefined && { body }) }]
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

function showOutcome(outcome, response, startedAt) {
  const line = element('p', response.ok ? 'ok' : 'refused', `${response.status} ${response.statusText}`)
  const facts = [`${Math.round(performance.now() - startedAt)} ms`]
  for (const name of ['X-Request-Id', 'RateLimit', 'Retry-After']) {
    const value = response.headers.get(name)
    if (value) facts.push(`${name}: ${value}`)
  }
  const code = element('pre')
  code.tabIndex = 0
  outcome.replaceChildren(line, element('p', 'facts', facts.join(' · ')), code)
  return code
}

/** Shows a stream as it arrives, until the page or the form stops it. */
async function followStream(response, code, stop) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  stop.onclick = () => reader.cancel()
  for (let part = await reader.read(); !part.done; part = await reader.read()) code.textContent += part.value
}

async function send(form) {
  const outcome = find('.outcome', form)
  const button = find('button[type=submit]', form)
  if ('confirm' in form.dataset && !confirm('This cannot be undone. Send the request?')) return
  const [address, init] = requestOf(form)
  const startedAt = performance.now()
  button.disabled = true
  outcome.replaceChildren(element('p', '', 'Sending …'))
  try {
    const response = await fetch(address, init)
    const code = showOutcome(outcome, response, startedAt)
    if ('stream' in form.dataset && response.ok) {
      const stop = element('button', '', 'Stop')
      stop.type = 'button'
      code.before(stop)
      await followStream(response, code, stop)
    } else code.textContent = pretty(await response.text())
  } catch (error) {
    outcome.replaceChildren(element('p', 'refused', `No response: ${error.message}`))
  } finally {
    button.disabled = false
  }
}

for (const form of findAll('.try form')) {
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void send(form)
  })
}
