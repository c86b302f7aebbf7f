package io.flinkgpu.sql.aggregate;

/** Where groups go. Task thread only. */
interface GroupOutput extends AutoCloseable {

    /** Takes all groups; what is read of one is valid until the next. */
    void send(SentGroups groups) throws Exception;

    @Override
    default void close() {}
}
