// The entry point of the bundle: everything bin/run.js needs once it has checked the Node version.
export { launch } from './cli/run/launch.ts'
