import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/** Fails the build where a page of the site links to a page, an anchor, a picture or a file that the site does not have. */
export function checkSite(site) {
  const names = readdirSync(site, { recursive: true }).filter((name) => name.endsWith('.html'))
  const pages = new Map(names.map((name) => [name, readFileSync(join(site, name), 'utf8')]))
  const anchors = new Map([...pages].map(([name, html]) => [name, new Set(groups(html, /\sid="([^"]+)"/g))]))
  const dead = new Map()
  for (const [name, html] of pages) {
    for (const link of groups(html, /\s(?:href|src)="([^"]+)"/g)) {
      if (/^([a-z]+:|\/\/)/.test(link)) continue
      const [path, anchor] = link.split('#')
      const file = path === '' ? name : fileOf(name, decodeURI(path))
      if (!existsSync(join(site, file)) || (anchor && !anchors.get(file)?.has(decodeURIComponent(anchor)))) {
        const target = anchor ? `${file}#${anchor}` : file
        dead.set(target, (dead.get(target) ?? new Set()).add(name))
      }
    }
  }
  if (dead.size > 0) {
    const lines = [...dead].map(([target, from]) => `${target}, linked to from ${[...from].slice(0, 3).join(', ')}` + more(from.size - 3))
    throw new Error(`links that lead nowhere (one from every page is in sidebar.json):\n${lines.join('\n')}`)
  }
}

const more = (pages) => (pages > 0 ? ` and ${pages} more` : '')

function fileOf(page, path) {
  const file = posix.resolve('/', posix.dirname(page), path).slice(1)
  return file === '' || path.endsWith('/') ? posix.join(file, 'index.html') : file
}

const groups = (text, pattern) => [...text.matchAll(pattern)].map((match) => match[1])
