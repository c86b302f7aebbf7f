package io.flinkgpu.windows;

import java.math.BigDecimal;

/** A record with numbers of all kinds; a POJO, mutable so that object reuse can be tested. */
public class Reading {

    public long id;
    public String sensor;
    public int whole;
    public Integer wholeOrNull;
    public long big;
    public Long bigOrNull;
    public float single;
    public Float singleOrNull;
    public double real;
    public Double realOrNull;
    public BigDecimal price;

    /** The record's timestamp. */
    public long time;

    public Reading() {}

    void set(Reading other) {
        id = other.id;
        sensor = other.sensor;
        whole = other.whole;
        wholeOrNull = other.wholeOrNull;
        big = other.big;
        bigOrNull = other.bigOrNull;
        single = other.single;
        singleOrNull = other.singleOrNull;
        real = other.real;
        realOrNull = other.realOrNull;
        price = other.price;
        time = other.time;
    }

    Reading copy() {
        Reading copy = new Reading();
        copy.set(this);
        return copy;
    }

    /** What object reuse leaves behind: other numbers, another key. */
    void overwrite() {
        id = -1;
        sensor = "s-1";
        whole = Integer.MIN_VALUE;
        wholeOrNull = null;
        big = Long.MIN_VALUE;
        bigOrNull = Long.MAX_VALUE;
        single = Float.NaN;
        singleOrNull = Float.NEGATIVE_INFINITY;
        real = Double.NaN;
        realOrNull = null;
        price = null;
        time = Long.MAX_VALUE;
    }

    @Override
    public String toString() {
        return "#%d %s [%d %s %d %s %s %s %s %s %s]"
                .formatted(
                        id,
                        sensor,
                        whole,
                        wholeOrNull,
                        big,
                        bigOrNull,
                        single,
                        singleOrNull,
                        real,
                        realOrNull,
                        price);
    }
}
