// For a resource type whose rules fit into its routes: its record and its collection, without a service.
export type { StoredRecord } from "../store/collection";
export { defineCollection, storedRecord } from "../store/define-collection";
