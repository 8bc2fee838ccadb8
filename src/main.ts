// The entry of the bundle: everything bin/run.js needs once the Node version is known to be good.
export { launch } from './cli/run/launch.ts'
