package io.flinkgpu.applications;

/** What a line of a file asks for. */
interface NumberedLine {

    /** Its number; the first is 0. */
    long line();
}
