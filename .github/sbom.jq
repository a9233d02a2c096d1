# Of everything npm installs, what the function can be made of: neither tools nor packages for one platform.
# `npm sbom --omit dev` also leaves out what tools and function share.
.components |= map(select(.scope == "required" and all(.properties[]?; .name != "cdx:npm:package:development")))
| ([.metadata.component, .components[]] | map(."bom-ref")) as $kept
| .dependencies |= map(select(IN(.ref; $kept[])) | .dependsOn |= map(select(IN(.; $kept[]))))
