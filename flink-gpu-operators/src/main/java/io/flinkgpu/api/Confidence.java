package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;

/** How sure it is that what a rule finds is what it looks for, in ascending order. */
@PublicEvolving
public enum Confidence {
    /** It finds much else. */
    LOW,
    /** It finds other texts now and then. */
    MEDIUM,
    /** What it finds is nearly always right: what rules have that say nothing else. */
    HIGH
}
