import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { checkSite } from '../check.mjs'
import { copySources, headingAnchor, linkOf, repository, siteLinks, sitePath } from '../links.mjs'
import sidebar from '../sidebar.json' with { type: 'json' }

// Pages are outside of this folder, where Vue is not found.
const vueOfSite = {
  name: 'vue-of-site',
  enforce: 'pre',
  resolveId(id, importer) {
    return /^vue(\/|$)/.test(id) && importer?.endsWith('.md')
      ? this.resolve(id, fileURLToPath(import.meta.url), { skipSelf: true })
      : null
  },
}

export default defineConfig({
  title: 'Flink GPU Operators',
  description: 'Apache Flink operators on an NVIDIA GPU or on the CPU, with the same answers',
  srcDir: repository,
  srcExclude: ['**/{target,build,src}/**', '.github/**'],
  rewrites: sitePath,
  outDir: 'build',
  cacheDir: 'node_modules/.vitepress',
  // Services on the reader's machine; all other links are checked.
  ignoreDeadLinks: 'localhostLinks',
  markdown: { anchor: { slugify: headingAnchor }, config: siteLinks },
  vite: { publicDir: false, plugins: [vueOfSite] },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    notFound: { quote: 'No page has this address.' },
    sidebar: sidebar.map(({ text, pages }) => ({
      text,
      collapsed: false,
      items: pages.map(({ text, page }) => ({ text, link: linkOf(page) })),
    })),
  },
  buildEnd({ outDir }) {
    copySources(outDir)
    checkSite(outDir)
  },
})
