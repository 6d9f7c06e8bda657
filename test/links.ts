import path from 'node:path'

/** What {@link deadLinks} needs to know of the files; paths are from the root of the repository. */
interface Disk {
  exists(file: string): boolean
  read(file: string): string
}

const withoutCode = (text: string) => text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '')

/** Returns the relative links of a Markdown file that lead to no file, or to no heading of one. */
export function deadLinks(file: string, text: string, disk: Disk): string[] {
  const links = [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
  return links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false
    const [name = '', anchor] = link.split('#')
    const target = name === '' ? file : path.posix.join(path.posix.dirname(file), name)
    if (name !== '' && !disk.exists(target)) return true
    if (anchor === undefined || !target.endsWith('.md')) return false
    return !anchors(name === '' ? text : disk.read(target)).includes(anchor)
  })
}

/** Returns the anchors of the headings of a Markdown text, in the way that code hosts make them. */
export function anchors(text: string): string[] {
  const seen = new Map<string, number>()
  return [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => {
    const slug = heading
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-')
    const count = seen.get(slug) ?? 0
    seen.set(slug, count + 1)
    return count === 0 ? slug : `${slug}-${count}`
  })
}
