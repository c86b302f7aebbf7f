package io.flinkgpu.sql.connector;

import org.apache.flink.annotation.Internal;
import org.apache.flink.table.connector.source.ScanTableSource;

import java.util.Optional;

/** A source that can give out each row as a view of what it reads, instead of as an object of its own. */
@Internal
public interface InPlaceSource {

    /**
     * The same source with such rows: each is valid until the operator that it was given to returns, so what reads them
     * has to be in the source's chain, and to be given {@link InPlaceRows}.
     *
     * @return a copy, or nothing if this source's rows cannot be views
     */
    Optional<ScanTableSource> inPlace();
}
