// What is shipped, as a CycloneDX document: the packages whose code is bundled, the keyring module, and in an archive Node.
// `npm sbom` would list the tools of the build, and never twice the same. Source: https://cyclonedx.org/docs/1.5/json/
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** A part of what is shipped. */
export interface Part {
  name: string
  version: string
  /** An SPDX expression. */
  license: string
  /** As a lockfile has it: `sha512-` and base64. */
  integrity?: string
  /** It may be missing from an installation. */
  isOptional?: boolean
}

/** Returns the parts whose code is bundled: packages in these folders of node_modules. */
export function bundledParts(root: string, folders: readonly string[]): Part[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  return folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const { integrity } = packages[relative(root, folder)] ?? {}
    return { name, version, license, integrity }
  })
}

/** Returns a package that is installed next to the bundle, as the lockfile has it. */
export function installedPart(root: string, name: string): Part {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const { version, license, integrity } = packages[`node_modules/${name}`]
  return { name, version, license, integrity, isOptional: true }
}

/** Returns the text of the document. It has no time and no random number, so that it is the same for the same parts. */
export function sbomOf(program: Pick<Part, 'name' | 'version' | 'license'>, parts: readonly Part[]): string {
  const components = parts.map(componentOf).toSorted((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1))
  const { 'bom-ref': ref, ...component } = componentOf(program)
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { 'bom-ref': ref, ...component, type: 'application' } },
    components,
    dependencies: [{ ref, dependsOn: components.map((one) => one['bom-ref']) }],
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

/** Returns the document with one more part. */
export function sbomWith(text: string, part: Part): string {
  const document = JSON.parse(text)
  const component = componentOf(part)
  document.components.push(component)
  document.dependencies[0].dependsOn.push(component['bom-ref'])
  return `${JSON.stringify(document, null, 2)}\n`
}

function componentOf({ name, version, license, integrity, isOptional }: Part) {
  const at = name.startsWith('@') ? name.indexOf('/') : -1
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  return {
    'bom-ref': purl,
    type: 'library',
    ...(at > 0 && { group: name.slice(0, at) }),
    name: name.slice(at + 1),
    version,
    licenses: [/ (OR|AND|WITH) /.test(license) ? { expression: license } : { license: { id: license } }],
    purl,
    ...(isOptional && { scope: 'optional' }),
    ...(integrity && { hashes: [{ alg: 'SHA-512', content: sha512Of(integrity) }] }),
  }
}

function sha512Of(integrity: string): string {
  return Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex')
}
