// For a noun whose rules fit into its routes: its record and its collection, without a service.
export { defineCollection, storedRecord, type StoredRecord } from "../store/collection";
