// What is changed in the manifests of packages before they are installed.

/** The server hands out redoc's built page and loads nothing of it, so what redoc is built from (70 MB) stays away. */
function redocAlone(manifest) {
  return manifest.name === 'redoc' ? { ...manifest, dependencies: {}, peerDependencies: {} } : manifest
}

export const hooks = { readPackage: redocAlone }
