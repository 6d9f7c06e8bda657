import type { Tag } from './document.ts'
import { guides } from './guides.ts'
import { type Html, html } from './html.ts'
import { pathTo, type Rendered } from './page.ts'

/** What every page has around its body. */
export interface Frame {
  readonly tags: readonly Tag[]
  /** The version of each asset, by its name, so that browsers keep it until it changes. */
  readonly versions: Readonly<Record<string, string>>
}

/** Returns the address of `path` from the page at `from`; both are below the root of the site. */
export function relativeTo(from: string, path: string): string {
  return '../'.repeat(from.split('/').length - 1) + path
}

function menuLink(page: Rendered, path: string, title: string): Html {
  const isHere = page.path === path
  const inner = isHere && /^docs\/(?:api|guides)\//.test(page.path) && page.sections.length > 1
  return html`<li><a href="${relativeTo(page.path, path)}"${isHere && html` aria-current="page"`}>${title}</a>${
    inner &&
    html`<ul>${page.sections.map(
      ({ text, anchor, mark }) =>
        html`<li><a href="#${anchor}">${text}${
          mark !== undefined && html` <span class="mark ${mark.toLowerCase()}">${mark}</span>`
        }</a></li>`,
    )}</ul>`
  }</li>`
}

function menu(page: Rendered, { tags }: Frame): Html {
  const guideLinks = guides.map(({ slug, title }) => menuLink(page, pathTo.guide(slug), title))
  const resources = tags.map(({ name, 'x-displayName': title }) => menuLink(page, pathTo.resource(name), title))
  return html`<nav id="site-menu" popover aria-label="Documentation">
    <ul>${menuLink(page, pathTo.overview, 'Overview')}</ul>
    <h2>Guides</h2><ul>${guideLinks}</ul>
    <h2>Reference</h2><ul>${resources}${menuLink(page, pathTo.events, 'Event kinds')}
      ${menuLink(page, pathTo.errors, 'Error codes')}</ul>
  </nav>`
}

const keyDialog = html`<dialog id="site-key" aria-labelledby="key-title"><form method="dialog">
  <h2 id="key-title">Credentials for Try it</h2>
  <p>They stay in this tab and are sent to this service only.</p>
  <label for="key-value">Account key, key of a number, or token of a signed-in user</label>
  <input id="key-value" name="key" type="password" autocomplete="off" spellcheck="false">
  <p class="actions"><button class="primary" value="save">Save</button><button value="forget">Forget</button>
    <button value="cancel">Cancel</button></p>
</form></dialog>`

const searchDialog = html`<dialog id="site-search" aria-label="Search"><form method="dialog" role="search">
  <label for="search-text" class="visually-hidden">Search routes, fields, codes, events and guides</label>
  <input id="search-text" type="search" placeholder="Search routes, fields, codes, events, guides" autocomplete="off"
    spellcheck="false" role="combobox" aria-expanded="false" aria-controls="search-results" aria-autocomplete="list">
  <ul id="search-results" role="listbox" aria-label="Results"></ul>
  <p id="search-none" role="status"></p>
</form></dialog>`

/** Returns a page as a whole document. */
export function renderLayout(page: Rendered, frame: Frame): string {
  const to = (path: string) => relativeTo(page.path, path)
  const asset = (name: string) => to(`docs/assets/${name}?v=${frame.versions[name] ?? ''}`)
  const title = page.path === pathTo.overview ? page.title : `${page.title} · Msgctl API`
  const { html: text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="description" content="${page.about}">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<script src="${asset('theme.js')}"></script>
<link rel="stylesheet" href="${asset('style.css')}">
<script src="${asset('page.js')}" defer></script>
</head>
<body data-root="${to('')}">
<a class="skip" href="#site-content">Skip to the content</a>
<header>
  <button type="button" class="menu-button" popovertarget="site-menu" aria-label="Menu">
    <span aria-hidden="true">☰</span></button>
  <a class="brand" href="${to(pathTo.overview)}">Msgctl <span>API</span></a>
  <button type="button" class="search-button" data-open-search><span>Search</span> <kbd>/</kbd></button>
  <button type="button" data-open-key>Key</button>
  <button type="button" data-theme-button aria-label="Switch between light and dark">
    <span aria-hidden="true">◐</span></button>
</header>
<div class="columns">
${menu(page, frame)}
<main id="site-content"><h1>${page.title}</h1>${page.body}
<footer><a href="${to('api/v1/openapi.json')}" download>OpenAPI document</a></footer></main>
</div>
${searchDialog}${keyDialog}
</body>
</html>
`
  return text
}
