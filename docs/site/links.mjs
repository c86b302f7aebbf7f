import { cpSync, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const repository = fileURLToPath(new URL('../..', import.meta.url))

/** Files that pages link to and that are no pages. */
const sources = new Set()

/** Where a page of the repository is in the site: a folder's README is its index. */
export const sitePath = (page) => page.replace(/(^|\/)README\.md$/, '$1index.md')

/** The site's address of a page, with its anchor if it has one. */
export const linkOf = (page) => '/' + sitePath(page.split('#')[0]).replace(/(^|\/)index\.md$/, '$1') + anchorOf(page)

const anchorOf = (link) => (link.includes('#') ? link.slice(link.indexOf('#')) : '')

/** The anchor that GitHub gives a heading. */
export const headingAnchor = (text) =>
  text.trim().toLowerCase().replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '').replaceAll(' ', '-')

/** Rewrites links between files of the repository to what the site has in their place. */
export function siteLinks(markdown) {
  markdown.core.ruler.push('site-links', ({ env, tokens }) => {
    const folder = dirname(relative(repository, env.realPath ?? env.path))
    for (const token of tokens.flatMap((block) => block.children ?? [])) {
      const link = token.type === 'link_open' ? token.attrGet('href') : null
      if (link && !link.startsWith('#') && !/^[a-z]+:/.test(link)) {
        token.attrSet('href', siteLink(posix.join(folder, link.split('#')[0])) + anchorOf(link))
      }
    }
  })
}

function siteLink(path) {
  const file = join(repository, path)
  if (path.endsWith('.md') || !existsSync(file) || statSync(file).isDirectory()) {
    return linkOf(path)
  }
  sources.add(path)
  return '/' + textOf(path)
}

/** Browsers show a file of this name instead of saving it. */
const textOf = (path) => posix.join('source', path + '.txt')

export function copySources(site) {
  for (const path of sources) {
    const copy = join(site, textOf(path))
    mkdirSync(dirname(copy), { recursive: true })
    cpSync(join(repository, path), copy)
  }
}
