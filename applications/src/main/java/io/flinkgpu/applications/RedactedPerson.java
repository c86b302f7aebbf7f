package io.flinkgpu.applications;

/** A person, and the name that anybody may see. */
public record RedactedPerson(Person person, String shownName) {}
